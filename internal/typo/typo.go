// Package typo finds words that differ by a typing error.
package typo

// Is reports whether one word may be the other with a typo. In longer words, it
// allows one or two letters that are added, missing, changed or swapped.
func Is(a, b string) bool {
	const longest = 63
	if a == b || len(a) < 3 || len(b) < 3 || len(a) > longest || len(b) > longest {
		return false
	}
	maxDistance := 1
	if min(len(a), len(b)) > 5 {
		maxDistance = 2
	}
	return Distance(a, b) <= maxDistance
}

// Find returns the first known word that may be the given one with a typo. It
// returns an empty string if there is none.
func Find(word string, known []string) string {
	for _, k := range known {
		if Is(word, k) {
			return k
		}
	}
	return ""
}

// Distance counts the typos between two words. Two adjacent letters that are
// swapped count as one.
func Distance(a, b string) int {
	before, last, next := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next[0] = i
		for j := 1; j <= len(b); j++ {
			changed := 1
			if a[i-1] == b[j-1] {
				changed = 0
			}
			next[j] = min(last[j]+1, next[j-1]+1, last[j-1]+changed)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
		}
		before, last, next = last, next, before
	}
	return last[len(b)]
}
