# capture: three hosts whose logs are rotated in three ways, SIGKILL at random: every record comes exactly once.
for seed in 1 2; do
    mkdir "$seed"
    (cd "$seed" && python3 "$SOURCE/tests/cli/rotate.py" "$COLLINE" 1500 6 $seed)
done
