# What the documents show is what the program prints.
"$SOURCE/tools/check_examples" "$COLLINE"
