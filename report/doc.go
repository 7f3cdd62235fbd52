// Package report writes the result of a wait as JUnit XML, Markdown, annotations of GitHub Actions,
// JSON, and as one page of HTML.
//
// [Run.AddTarget], [Run.AddUpdate] and [Run.End] fill a [Run] during the wait; then it is
// written in any number of formats. It keeps every change of every verdict, so a report shows
// the history of each object.
//
// Text from a cluster is not trusted. A Run keeps it unchanged, but limits its size. Each format
// escapes it. It is neither markup nor a command then, does not change the direction of text,
// and does not break a line.
//
// # Reading order
//
// run.go holds the data, record.go fills it, text.go turns cluster data into text, and
// explanation.go explains objects that do not meet their goals. Each format has its own file:
// json.go, junit.go, markdown.go, github.go, and html.go with the folder page, in which words.js
// comes first.
package report
