// Package pages runs the commands of README.md and docs/guides against a real cluster, and
// compares what they print with what the pages show.
//
// Each page has a folder, a namespace and a kubeconfig of its own. Its commands run in order, in
// bash, with the real kubectl, helm and jq. The language of a block decides what runs:
//
//   - sh: each line is a command.
//   - console: each line that begins with "$ " is a command, and the lines below are its output.
//   - yaml: the steps of a pipeline are commands. They are the values of run and script.
//   - go: nothing runs, because package snippet compiles the block.
//
// In the output on a page, a line "…" matches any lines, and "…" in a line matches any text.
// Times, ages and generated names may differ.
//
// The file testdata/common.txtar has the files of all pages, and testdata/PAGE.txtar those of one
// page. Some names are special:
//
//   - setup.sh runs before the first command.
//   - bin/NAME is a program that the page can call.
//   - "before COMMAND" runs before that command, in the same shell.
//   - "prints COMMAND" is the output of a command of which the page shows none.
//   - "yaml N FILE" is empty. FILE gets the text of the Nth YAML block of the page.
//
// Scripts can use $NS, the namespace of the page, and $ROOT, the folder of the repository. A script
// before a command can also use $OUTPUT, the file that gets the output of the command. The
// tables in tables_test.go list the commands with another exit code than 0, and those that cannot
// run here as the page shows them.
//
// The go command does not notice changes of pages. So run these tests with -count=1.
package pages
