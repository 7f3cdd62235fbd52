// Package word classifies the English words in the states, condition types, reasons and messages
// that controllers write. Examples are "Running", "PodReady" and "ImagePullBackOff".
//
// Its functions depend on the text alone, not on the object or the kind. A text has one or more
// words in any spelling: "NotReady", "HEALTH_OK", "Cluster in healthy state",
// "platform.example.com/pod-ready".
//
// [State] and [Reason] return a [Polarity], [ConditionType] returns a [Role], and [Why] returns
// a [Cause].
//
// class.go holds the results, vocabulary.go the words, text.go the classification of texts,
// cause.go the phrases of messages, and match.go comparisons of texts with lists. Each word of
// the vocabulary has a case in testdata/words.cases.
package word
