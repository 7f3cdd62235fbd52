// Package word tells what the English words mean by which controllers report:
// states such as "Running", types of conditions such as "PodReady", reasons such as
// "ImagePullBackOff", and messages.
//
// Its functions depend on the text alone and know no object and no kind. A text has
// one or more words in any spelling: "NotReady", "HEALTH_OK", "Cluster in healthy
// state", "platform.example.com/pod-ready".
//
// [State] and [Reason] return a [Polarity], [ConditionType] returns a [Role], and
// [Why] returns a [Cause].
//
// class.go holds the results, vocabulary.go the words, text.go the way from the
// words of a text to its meaning, cause.go the phrases of messages, and match.go
// comparisons of texts with lists. Each word of the vocabulary has a case in
// testdata/words.cases.
package word
