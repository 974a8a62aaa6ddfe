# cmake -DOUT=FILE -DFILE=TEXT -DHEADER=a/b.h -DNAME=symbol -P embed_text.cmake: a file as an array of C, with its size.
file(READ ${FILE} hex HEX)
string(LENGTH "${hex}" size)
math(EXPR size "${size} / 2")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n" bytes "${bytes}")
get_filename_component(name ${FILE} NAME)
file(WRITE ${OUT} "/* Made from ${name}. */\n#include \"${HEADER}\"\n\nconst unsigned char ${NAME}[] = {\n${bytes}0};\nconst size_t ${NAME}_size = ${size};\n")
