package text_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"kstatus.dev/internal/text"
)

func TestSafe(t *testing.T) {
	for _, row := range []struct{ it, have, want string }{
		{"leaves ASCII", "Back-off pulling image \"shop/api:1\" (5 restarts) ~", "Back-off pulling image \"shop/api:1\" (5 restarts) ~"},
		{"keeps an empty text", "", ""},
		{"keeps letters of any script", "Größe é 数据库连接失败：连接被拒绝 مرحبا नमस्ते", "Größe é 数据库连接失败：连接被拒绝 مرحبا नमस्ते"},
		{"keeps wide and narrow spaces with a width", "a\u00a0b\u3000c", "a\u00a0b\u3000c"},
		{"keeps combining marks", "e\u0301\u0301", "e\u0301\u0301"},
		{"keeps emoji, their colours and skin tones", "❤️ 👍🏽 🇩🇪", "❤️ 👍🏽 🇩🇪"},
		{"keeps the joiners of an emoji", "👩‍👩‍👧‍👦 ❤️‍🔥 👩🏽‍💻 🙂‍↔️", "👩‍👩‍👧‍👦 ❤️‍🔥 👩🏽‍💻 🙂‍↔️"},
		{"keeps unassigned and private-use runes", "\U0001faff \ue0a0", "\U0001faff \ue0a0"},
		{"keeps visible format characters", "\u0600\u0661", "\u0600\u0661"},
		{"joins lines", "two\nlines\tand\ra tab\u2028or\u2029so", "two lines and a tab or so"},
		{"breaks commands of CI systems", "x ##[error]y ##vso[task.z] ##teamcity[w] ###[v]", "x ## [error]y ##vso [task.z] ##teamcity [w] ### [v]"},
		{"keeps other number signs", "## [x] #[y] ##1[z] ## heading", "## [x] #[y] ##1[z] ## heading"},
		{"replaces escape sequences", "\x1b[2Jcleared\a\x00\x7f", "\ufffd[2Jcleared\ufffd\ufffd\ufffd"},
		{"replaces C1 controls", "\u009b1m\u0085", "\ufffd1m\ufffd"},
		{"replaces direction marks", "a\u202eb\u2066c\u2069d\u200fe\u200ef\u061cg", "a\ufffdb\ufffdc\ufffdd\ufffde\ufffdf\ufffdg"},
		{"replaces zero-width characters", "a\u200bb\u2060c\ufeffd\u00ade\u180ef", "a\ufffdb\ufffdc\ufffdd\ufffde\ufffdf"},
		{"replaces tags", "a\U000e0041\U000e0042\U000e007f", "a\ufffd\ufffd\ufffd"},
		{"replaces fillers", "a\u3164b\u115fc\u034fd", "a\ufffdb\ufffdc\ufffdd"},
		{"keeps the variation selector of a symbol, of a Chinese letter and of a keycap", "↔️ 葛\U000e0100 1️⃣", "↔️ 葛\U000e0100 1️⃣"},
		{"replaces variation selectors after letters", "a\ufe0fb\U000e0101 1\ufe0f", "a\ufffdb\ufffd 1\ufffd"},
		{"replaces the second of two variation selectors", "❤\ufe0f\ufe0e葛\U000e0100\U000e0101", "❤\ufe0f\ufffd葛\U000e0100\ufffd"},
		{"replaces a variation selector at the beginning", "\ufe0f\xff\ufe0f", "\ufffd\ufffd\ufffd"},
		{"replaces noncharacters", "a\ufffe\U0010ffff\ufdd0", "a\ufffd\ufffd\ufffd"},
		{"replaces a joiner after a letter", "a\u200db \u200d😀", "a\ufffdb \ufffd😀"},
		{"replaces a joiner before a letter", "😀\u200da", "😀\ufffda"},
		{"replaces the second of two joiners", "😀\u200d\u200d😀", "😀\ufffd\ufffd😀"},
		{"replaces a joiner after a colour that follows a letter", "a\ufe0f\u200d😀", "a\ufffd\ufffd😀"},
		{"replaces a joiner before invalid UTF-8", "😀\u200d\xff", "😀\ufffd\ufffd"},
		{"replaces a non-joiner", "می\u200cخواهم", "می\ufffdخواهم"},
		{"replaces invalid UTF-8", "\xff\xfea\xe6\x95", "\ufffd\ufffda\ufffd\ufffd"},
	} {
		t.Run(row.it, func(t *testing.T) {
			if got := text.Safe(row.have); got != row.want {
				t.Errorf("Safe(%q) = %q, want %q", row.have, got, row.want)
			}
		})
	}
}

// Each rune of the dangerous ranges is unsafe, whatever tables define Unsafe.
func TestUnsafe(t *testing.T) {
	for _, row := range []struct {
		it          string
		first, last rune
		want        bool
	}{
		{"fears C0", 0, 0x1f, true},
		{"DEL and C1 are unsafe", 0x7f, 0x9f, true},
		{"trusts ASCII", ' ', '~', false},
		{"Latin 1 is safe", 0xa1, 0xac, false},
		{"embeddings and overrides are unsafe", 0x202a, 0x202e, true},
		{"fears isolates", 0x2066, 0x2069, true},
		{"direction marks and joiners are unsafe", 0x200b, 0x200f, true},
		{"the Arabic letter mark is unsafe", 0x61c, 0x61c, true},
		{"separators of lines and paragraphs are unsafe", 0x2028, 0x2029, true},
		{"fears annotations", 0xfff9, 0xfffb, true},
		{"fears tags", 0xe0000, 0xe007f, true},
		{"the byte order mark is unsafe", 0xfeff, 0xfeff, true},
		{"Arabic number signs are safe", 0x600, 0x605, false},
		{"trusts CJK", 0x4e00, 0x9fff, false},
		{"trusts emoji", 0x1f600, 0x1f64f, false},
		{"variation selectors are unsafe", 0xfe00, 0xfe0f, true},
		{"further variation selectors are unsafe", 0xe0100, 0xe01ef, true},
		{"a noncharacter is unsafe", 0xfffe, 0xffff, true},
		{"a noncharacter of any plane is unsafe", 0x10fffe, 0x10ffff, true},
		{"a noncharacter among Arabic forms is unsafe", 0xfdd0, 0xfdef, true},
		{"the replacement character is safe", 0xfffd, 0xfffd, false},
	} {
		t.Run(row.it, func(t *testing.T) {
			for r := row.first; r <= row.last; r++ {
				if got := text.Unsafe(r); got != row.want {
					t.Errorf("Unsafe(%U) = %t", r, got)
				}
			}
		})
	}
}

func TestCut(t *testing.T) {
	for _, row := range []struct {
		it, have string
		n        int
		want     string
	}{
		{"keeps a short text", "short", 5, "short"},
		{"keeps a short text of invalid UTF-8", "\xff", 5, "\xff"},
		{"cuts a long text, and counts the ellipsis", "longer than ten", 10, "longer …"},
		{"cuts between runes", "ääää", 7, "ää…"},
		{"keeps only the ellipsis", "long", 3, "…"},
		{"keeps nothing without room for the ellipsis", "long", 2, ""},
		{"keeps nothing for a negative limit", "long", -1, ""},
		{"keeps bytes of invalid UTF-8", "a\xffb\xe6\x95 and more", 8, "a\xffb\xe6\x95…"},
		{"cuts bytes without runes", strings.Repeat("\xbf", 100), 40, "…"},
	} {
		t.Run(row.it, func(t *testing.T) {
			if got := text.Cut(row.have, row.n); got != row.want {
				t.Errorf("Cut(%q, %d) = %q, want %q", row.have, row.n, got, row.want)
			}
		})
	}
}

func TestCutWith(t *testing.T) {
	if got, want := text.CutWith("a longer text", 10, " (cut)"), "a lo (cut)"; got != want {
		t.Errorf("it is %q, want %q", got, want)
	}
	if got := text.CutWith("a longer text", 5, " (cut)"); got != "" {
		t.Errorf("where the mark has no room, it is %q", got)
	}
}

func TestLine(t *testing.T) {
	if got, want := text.Line("two\nlines\x1b"), "two lines\ufffd"; got != want {
		t.Errorf("it is %q, want %q", got, want)
	}
	got := text.Line(strings.Repeat("x", 1<<20))
	if want := strings.Repeat("x", 4096) + "…"; got != want {
		t.Errorf("a long text has %d bytes, want %d", len(got), len(want))
	}
}

// hostile lists seeds for fuzzing.
var hostile = []string{
	"", "plain", "a\x1b[2J\x1b]0;mine\x07b\u009b1m\x00\x7f\r\n\u202e\u2066\u200f\u2028\xffl", "e\u0301\u0301", "\xff\xfe", "\xbf\xbf\xbf",
	"👩‍👩‍👧‍👦 🇩🇪 ❤️‍🔥 \u200d", "数据库连接失败", "می\u200cخواهم", "\U000e0041\u3164\u00ad\ufffe\ufeff", "\xed\xa0\x80", "\xf4\x90\x80\x80", "##[x] ##\u200b[ ####vso[", "1️⃣ ❤\ufe0f\ufe0fa\ufe0f葛\U000e0100\U000e0100", "\ufdd0\uffff",
}

func FuzzSafe(f *testing.F) {
	for _, s := range hostile {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := text.Safe(s)
		if !utf8.ValidString(got) {
			t.Errorf("Safe(%q) = %q, which is not UTF-8", s, got)
		}
		for i, r := range got {
			if text.Unsafe(r) && !(r == '\u200d' && between(got, i)) && !(unicode.Is(unicode.Variation_Selector, r) && changes(got, i)) {
				t.Errorf("Safe(%q) = %q, with %U", s, got, r)
			}
		}
		if again := text.Safe(got); again != got {
			t.Errorf("Safe(%q) = %q, and of that %q", s, got, again)
		}
		if have, want := utf8.RuneCountInString(got), utf8.RuneCountInString(s); have != want && !strings.Contains(s, "##") {
			t.Errorf("Safe(%q) = %q: %d runes of %d", s, got, have, want)
		}
		legible := func(r rune) rune {
			if r < ' ' || r > '~' {
				return -1
			}
			return r
		}
		if have, want := strings.ReplaceAll(strings.Map(legible, got), " ", ""), strings.ReplaceAll(strings.Map(legible, s), " ", ""); have != want {
			t.Errorf("Safe(%q) = %q: of the ASCII %q is left", s, got, have)
		}
	})
}

// between reports whether the rune at an index is between two symbols, as a
// joiner may be.
func between(s string, i int) bool {
	before := strings.TrimRight(s[:i], "\ufe0f\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff")
	last, _ := utf8.DecodeLastRuneInString(before)
	next, _ := utf8.DecodeRuneInString(s[i+len("\u200d"):])
	return unicode.IsSymbol(last) && unicode.IsSymbol(next) && last > 0xff && next > 0xff
}

// changes reports whether the variation selector at an index follows a rune
// with variants.
func changes(s string, i int) bool {
	last, _ := utf8.DecodeLastRuneInString(s[:i])
	return last != utf8.RuneError && unicode.In(last, unicode.So, unicode.Sm, unicode.Han, unicode.Mongolian) || strings.HasPrefix(s[i:], "\ufe0f\u20e3") && strings.ContainsRune("0123456789#*", last)
}

func FuzzCut(f *testing.F) {
	for i, s := range hostile {
		f.Add(s, i)
	}
	f.Fuzz(func(t *testing.T, s string, n int) {
		got := text.Cut(s, n)
		if len(got) > max(n, 0) {
			t.Errorf("Cut(%q, %d) = %q, of %d bytes", s, n, got, len(got))
		}
		if again := text.Cut(got, n); again != got {
			t.Errorf("Cut(%q, %d) = %q, and of that %q", s, n, got, again)
		}
		if len(s) <= n {
			if got != s {
				t.Errorf("Cut(%q, %d) = %q", s, n, got)
			}
			return
		}
		kept, marked := strings.CutSuffix(got, text.Ellipsis)
		switch {
		case utf8.ValidString(s) && !utf8.ValidString(got):
			t.Errorf("Cut(%q, %d) = %q, which is not UTF-8", s, n, got)
		case !marked && n >= len(text.Ellipsis):
			t.Errorf("Cut(%q, %d) = %q without a mark", s, n, got)
		case !strings.HasPrefix(s, kept):
			t.Errorf("Cut(%q, %d) = %q, which does not begin as the text", s, n, got)
		case utf8.ValidString(s) && marked && n-len(got) >= utf8.UTFMax:
			t.Errorf("Cut(%q, %d) = %q, which leaves %d bytes unused", s, n, got, n-len(got))
		}
	})
}
