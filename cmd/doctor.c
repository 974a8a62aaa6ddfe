/* colline doctor: what stands in the way of the services, and what to do about it. */
#include "cmd.h"
#include "settings.h"

#include "doctor/doctor.h"
#include "run/hook.h"

#include <getopt.h>
#include <stdio.h>

static const char help_text[] =
    "usage: colline doctor [-c FILE] [--json]\n\n"
    "Looks for what stands in the way of the services of a configuration, in the order in which things fail, and says what to do:\n"
    "the configuration; log files, whether they are there, may be read, are written to, fit the clock and the kind; the daemons'\n"
    "pages and flags; the data folder, its positions, spool and disk; the broker, its topics, the consumer group, what is invalid;\n"
    "the state and the store; the running service. Nothing is changed. Run it as the user of the services, with their environment.\n\n"
    "  -c, --config FILE   the configuration; else $COLLINE_CONFIG, else /etc/colline/colline.yaml\n"
    "      --json          for scripts: one object with every finding\n"
    "  -h, --help          this text\n\n"
    "No question over the network takes more than 5 seconds.\n"
    "Exit status: 0 all is well, 1 warnings, 2 wrong use, 3 failures.\n";

enum {
    OPTION_JSON = 256
};

static const struct option long_options[] = {{"config", required_argument, NULL, 'c'},
                                             {"json", no_argument, NULL, OPTION_JSON},
                                             {"help", no_argument, NULL, 'h'},
                                             {NULL, 0, NULL, 0}};

static int status_of(enum finding_level worst)
{
    switch (worst) {
    case FINDING_OK:
        return STATUS_DONE;
    case FINDING_WARN:
        return STATUS_PARTLY;
    case FINDING_FAIL:
        break;
    }
    return STATUS_FAILED;
}

static int run(const char *path, bool json)
{
    struct config config;
    struct findings findings;
    struct buf out;
    struct clock clock = clock_system();
    config_init(&config);
    (void)config_read_file(&config, settings_path(path));
    findings_init(&findings);
    buf_init(&out, 0);
    if (!hook_library_begin()) {
        complain("the HTTP library cannot start");
        findings.failed = true;
    } else {
        doctor_run(&config, &clock, &findings);
        hook_library_end();
    }
    if (json)
        findings_write_json(&findings, &out);
    else
        findings_write_text(&findings, &out);
    write_stdout(buf_str(&out));
    int status = status_of(findings_worst(&findings));
    buf_release(&out);
    findings_release(&findings);
    config_release(&config);
    return status;
}

int cmd_doctor(int argc, char **argv)
{
    const char *path = NULL;
    bool json = false;
    for (int option; (option = getopt_long(argc, argv, "c:h", long_options, NULL)) != -1;) {
        switch (option) {
        case 'c':
            path = optarg;
            break;
        case OPTION_JSON:
            json = true;
            break;
        case 'h':
            fputs(help_text, stdout);
            return STATUS_DONE;
        default:
            return more_help("doctor");
        }
    }
    if (optind < argc)
        return wrong_use("doctor", "`%s` is too much", argv[optind]);
    return run(path, json);
}
