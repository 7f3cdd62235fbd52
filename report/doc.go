// Package report tells programs and people of a wait that is over: as JUnit XML,
// Markdown, annotations of GitHub Actions, JSON, and as one page of HTML.
//
// A [Run] is filled while the wait goes on, by [Run.AddTarget], [Run.AddUpdate] and
// [Run.End], and then written in as many formats as are wanted. It keeps every
// change of every verdict, so that a report shows how it came to what it is.
//
// What a cluster says is not trusted. A Run keeps it as it is, but bounded in
// size; each format shows it such that it can neither be taken for markup nor for
// a command, nor turn the direction of writing, nor break a line.
//
// # Reading order
//
// run.go holds what is kept, record.go how it is filled, text.go how cluster data
// becomes text, and why.go why objects are not there. Each format has a file of its
// own: json.go, junit.go, markdown.go, github.go, and html.go with the folder page,
// whose words.js is the first to read.
package report
