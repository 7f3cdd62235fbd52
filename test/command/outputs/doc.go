// Package outputs tests that all outputs of kstatus escape texts of a cluster: reports, tables,
// logs, JSON and YAML. It puts hostile texts into every place of objects and runs, and reads what
// is printed with parsers that the project does not write.
package outputs
