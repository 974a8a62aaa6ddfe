/* `colline lineage --against REVISION`: the lineage of the paths as they are, compared with what it was. */
#include "compare.h"
#include "git.h"
#include "lineage.h"
#include "survey.h"

#include <stdlib.h>

/* The options with the catalogs of the old tree where it has them: a change of a table is a change too. */
static struct options old_options(struct lineage *lineage, struct old_tree *tree, char **copies)
{
    struct options options = lineage->options;
    options.catalog_values = need_alloc((options.catalog_count + 1) * sizeof(const char *));
    for (size_t i = 0; i < options.catalog_count; i++) {
        copies[i] = old_tree_copy(tree, lineage->options.catalog_values[i], lineage->against);
        options.catalog_values[i] = copies[i] == NULL ? lineage->options.catalog_values[i] : copies[i];
    }
    return options;
}

/* Files are named, and their dialects told, by the path that the person gave. */
static void read_old_path(struct lineage *lineage, const struct options *options, struct survey *survey, struct old_tree *tree,
                          const char *path)
{
    struct inputs inputs = {0};
    char *copy = old_tree_copy(tree, path, lineage->against);
    if (copy == NULL)
        return;
    size_t cut = strlen(copy);
    inputs_add(&inputs, copy, options->dialect, false);
    for (size_t i = 0; i < inputs.count && !options->dialect.given; i++) {
        char *name = need_format("%s%s", path, inputs.items[i].path + cut);
        inputs.items[i].guessed = !dialect_of_path(name, &inputs.items[i].dialect);
        free(name);
    }
    survey_read(survey, options, &inputs, cut, path);
    inputs_release(&inputs);
    free(copy);
}

static void read_old(struct lineage *lineage, struct survey *survey, struct old_tree *tree, int count, char **paths)
{
    char **copies = need_alloc((lineage->options.catalog_count + 1) * sizeof(char *));
    struct options options = old_options(lineage, tree, copies);
    for (int i = 0; i < count; i++)
        read_old_path(lineage, &options, survey, tree, paths[i]);
    for (size_t i = 0; i < lineage->options.catalog_count; i++)
        free(copies[i]);
    free(copies);
    free(options.catalog_values);
}

static int report(const struct lineage *lineage, const struct survey *old, const struct survey *new)
{
    struct look look = {lineage->colour, lineage->width};
    struct buf out;
    buf_init(&out, 0);
    struct comparison_result result = compare_facts(&old->facts, &new->facts, &out, &look);
    if (out.failed)
        need(NULL);
    write_stdout(buf_str(&out));
    buf_release(&out);
    return result.broken_readers > 0 || new->partly ? STATUS_PARTLY : STATUS_DONE;
}

int lineage_against(struct lineage *lineage, int path_count, char **paths)
{
    static char here[] = ".";
    char *only[] = {here};
    char **given = path_count == 0 ? only : paths;
    int count = path_count == 0 ? 1 : path_count;
    struct old_tree tree;
    struct survey old, new;
    if (!old_tree_open(&tree, given[0], lineage->against)) {
        old_tree_close(&tree);
        return STATUS_USAGE;
    }
    survey_init(&old);
    survey_init(&new);
    old.quiet = true;
    read_old(lineage, &old, &tree, count, given);
    for (int i = 0; i < count; i++)
        inputs_add(&lineage->inputs, given[i], lineage->options.dialect, false);
    survey_read(&new, &lineage->options, &lineage->inputs, 0, NULL);
    int status = report(lineage, &old, &new);
    survey_release(&old);
    survey_release(&new);
    old_tree_close(&tree);
    return status;
}
