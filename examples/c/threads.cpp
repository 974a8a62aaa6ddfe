// threads CATALOG SCRIPT...: the tables that each script reads and writes, all scripts side by side, from C++.
//
// One catalog serves all threads, for nobody changes it any more; each thread has an analyzer of its own. Handles are held by
// std::unique_ptr, texts become std::string where they must outlive their statement.
#include <colline.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace {

struct free_handle {
    void operator()(colline_catalog *catalog) const { colline_catalog_free(catalog); }
    void operator()(colline_analyzer *analyzer) const { colline_analyzer_free(analyzer); }
};
using catalog_handle = std::unique_ptr<colline_catalog, free_handle>;
using analyzer_handle = std::unique_ptr<colline_analyzer, free_handle>;

constexpr std::size_t memory_limit = 256u << 20; // bytes that one script may take

std::string to_string(colline_text text)
{
    return std::string(text.ptr, text.len);
}

std::string read_file(const std::string &path)
{
    std::ifstream file(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
}

std::string tables_of(const colline_statement *st)
{
    std::string line;
    for (std::size_t i = 0; i < colline_statement_input_count(st); i++)
        line += (i ? ", " : "") + to_string(colline_dataset_table(colline_statement_input(st, i)));
    line += " -> ";
    for (std::size_t i = 0; i < colline_statement_output_count(st); i++)
        line += (i ? ", " : "") + to_string(colline_output_table(colline_statement_output(st, i)));
    return line + "\n";
}

std::string tables_of_script(colline_analyzer *analyzer, const std::string &path)
{
    const std::string script = read_file(path); // stays until the last statement was read
    std::string lines = path + "\n";
    colline_begin(analyzer, script.data(), script.size());
    while (const colline_statement *st = colline_next(analyzer))
        if (colline_statement_output_count(st) > 0)
            lines += "  " + tables_of(st);
    return lines;
}

void work(const colline_catalog *catalog, const std::vector<std::string> &paths, std::atomic<std::size_t> &next,
          std::vector<std::string> &results)
{
    const analyzer_handle analyzer(colline_analyzer_new(catalog, memory_limit));
    for (std::size_t i; analyzer && (i = next++) < paths.size();)
        results[i] = tables_of_script(analyzer.get(), paths[i]);
}

} // namespace

int main(int argc, char **argv)
{
    if (argc < 3) {
        std::cerr << "usage: threads CATALOG SCRIPT...\n";
        return 2;
    }
    const catalog_handle catalog(colline_catalog_new(0));
    const std::string saved = read_file(argv[1]);
    if (colline_catalog_add_json(catalog.get(), saved.data(), saved.size(), nullptr) != COLLINE_OK) {
        std::cerr << argv[1] << ": " << to_string(colline_catalog_message(catalog.get())) << "\n";
        return 1;
    }
    const std::vector<std::string> paths(argv + 2, argv + argc);
    std::vector<std::string> results(paths.size());
    std::atomic<std::size_t> next{0};
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); i++)
        threads.emplace_back(work, catalog.get(), std::cref(paths), std::ref(next), std::ref(results));
    for (std::thread &thread : threads)
        thread.join();
    for (const std::string &lines : results)
        std::cout << lines;
    return 0;
}
