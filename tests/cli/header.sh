# The public header stands alone, in C99 and in C++11, with every warning an error.
echo '#include "colline.h"' >alone.c
echo 'int main(void) { return colline_version() == 0; }' >>alone.c
cp alone.c alone.cc
gcc -std=c99 -Wall -Wextra -Wpedantic -Wstrict-prototypes -Werror -fsyntax-only -I "$SOURCE/include" alone.c
g++ -std=c++11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I "$SOURCE/include" alone.cc

# Every function says what it does: a comment stands above it, behind it, or above its group.
python3 - <<'END'
import os, re
text = open(os.environ['SOURCE'] + '/include/colline.h').read()
lines = text.splitlines()
bare = []
for i, line in enumerate(lines):
    if not line.startswith('COLLINE_API'):
        continue
    block = i
    while block > 0 and lines[block - 1].strip() and not lines[block - 1].rstrip().endswith('*/'):
        block -= 1
    explained = '/*' in line or lines[block - 1].rstrip().endswith('*/')
    name = re.search(r'(colline_\w+)\(', line)
    if not explained and not re.match(r'colline_statement_\w*(count|input|output|column|predicate|view|diagnostic)$', name[1]):
        bare.append(name[1])
print('\n'.join(bare))
assert not bare
END
