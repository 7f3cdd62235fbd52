package quantity

import (
	"math/big"
	"strconv"
	"strings"
	"testing"
)

// ascending holds amounts in ascending order; those in one line are equal.
var ascending = [][]string{
	{"-8Ei", "-9223372036854775807", "-10Ei"},
	{"-1Gi", "-1073741824"},
	{"-1"},
	{"-1n", "-0.1n", "-1e-9", "-1e-2000000000"},
	{"0", "-0", "+0", "0.0", "00", "0Gi", "0e9", "0n", "-0.0Ki"},
	{"1n", "0.1n", "0.000000001", "1e-9", "0.000000000000000000000001", "1e-2147483648"},
	{"2n", "1.1n", "1.000000001n"},
	{"102.5n", "103n", "0.0000000001Ki"},
	{"1u", "1000n", ".000001"},
	{"1m", "0.001", "1e-3", "1E-3"},
	{"500m", "0.5", ".5", "0.50", "5e-1", "+500m"},
	{"999999999.1n", "1", "1.", "1.0", "01", "1000m", "1e0", "1000000u"},
	{"1.000000001"},
	{"1k", "1000", "1e3", "1E3", "1e+3", "0.001M"},
	{"1Ki", "1024", "1.024k", "1.0Ki"},
	{"1.5Ki", "1536"},
	{"1M", "1e6"}, {"1Mi", "1048576"},
	{"1G", "1e9"}, {"1Gi", "1073741824", "1024Mi", "0.0009765625Ti"},
	{"1T"}, {"1Ti", "1099511627776"}, {"1P"}, {"1Pi"},
	{"1E", "1e18", "1000P"}, {"1Ei", "1152921504606846976"},
	{"8Ei", "9223372036854775807", "9.1Ei", "100000000000000000000000Ei"},
	{"9223372036854775808"},
	{"10E"},
	{"1e400", "10e399"},
	{"1e2147483647"},
}

func TestQuantitiesAreComparedExactly(t *testing.T) {
	for i, equal := range ascending {
		for _, a := range equal {
			t.Run(a, func(t *testing.T) {
				qa, ok := Parse(a)
				if !ok {
					t.Fatalf("Parse(%q) refused", a)
				}
				for j, others := range ascending {
					for _, b := range others {
						qb, _ := Parse(b)
						if got := qa.Compare(qb); signum(got) != signum(i-j) {
							t.Errorf("Compare(%s, %s) = %d, want the sign of %d", a, b, got, i-j)
						}
					}
				}
			})
		}
	}
}

func signum(n int) int { return max(-1, min(1, n)) }

func TestParseRejects(t *testing.T) {
	for _, s := range []string{"", ".", "-", "+", "+-1", "--1", "Ki", "m", "1 Gi", "1gi", "1K", "1ki", "1KiB", "1Gii", "1.2.3", "1e", "1e+", "1ee3", "1e1.5",
		"1e99999999999", "0x10", "1_000", "three", "1mi", "Inf", "NaN", "1Gi ", "１"} {
		t.Run(strconv.Quote(s), func(t *testing.T) {
			if q, ok := Parse(s); ok {
				t.Errorf("Parse(%q) = %v, want it refused", s, q)
			}
		})
	}
}

// A parsed amount equals the result of rational arithmetic, and Compare is a total order.
func FuzzQuantity(f *testing.F) {
	for i, equal := range ascending {
		for _, s := range equal {
			f.Add(s, ascending[(i*7)%len(ascending)][0])
		}
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		qa, okA := Parse(a)
		qb, okB := Parse(b)
		if !okA || !okB {
			return
		}
		if qa.Compare(qa) != 0 || signum(qa.Compare(qb)) != -signum(qb.Compare(qa)) {
			t.Fatalf("%q, %q: Compare is no order", a, b)
		}
		if m, short := ParseShort(a); short {
			if n, both := ParseShort(b); both && signum(int(max(-1, min(1, m-n)))) != signum(qa.Compare(qb)) {
				t.Fatalf("%q, %q: %d, %d are ordered otherwise than in full", a, b, m, n)
			}
		}
		if strings.Trim(qa.digits, "0") != qa.digits || qa.exponent < minExponent {
			t.Fatalf("%q: %v is not in its one form", a, qa)
		}
		ra, rb := exactly(a), exactly(b)
		if ra != nil && rb != nil && signum(qa.Compare(qb)) != ra.Cmp(rb) {
			t.Fatalf("Compare(%q, %q) = %d, want %d", a, b, qa.Compare(qb), ra.Cmp(rb))
		}
	})
}

// exactly returns the value of a quantity by rational arithmetic; nil if that would take long.
func exactly(s string) *big.Rat {
	if len(s) > 100 {
		return nil
	}
	end := strings.IndexAny(s, "numkKMGTPEe")
	if end < 0 {
		end = len(s)
	}
	x, ok := new(big.Rat).SetString(strings.TrimSuffix(s[:end], "."))
	if !ok {
		return nil
	}
	by := new(big.Rat)
	suffix := s[end:]
	i := strings.Index("n  u  m  .  k  M  G  T  P  E", suffix)
	switch {
	case suffix == "":
		by.SetInt64(1)
	case strings.HasSuffix(suffix, "i"):
		by.SetInt64(1 << (10 * (1 + strings.Index("KMGTPE", suffix[:1]))))
	case len(suffix) == 1:
		by.SetString("1e" + strconv.Itoa(i-9))
	default:
		if n, _ := strconv.Atoi(suffix[1:]); n > 1000 || n < -1000 {
			return nil
		}
		by.SetString("1e" + suffix[1:])
	}
	x.Mul(x, by)
	limit := new(big.Rat).SetInt64(1<<63 - 1)
	if strings.HasSuffix(suffix, "i") && new(big.Rat).Abs(x).Cmp(limit) > 0 {
		if x.Sign() < 0 {
			return limit.Neg(limit)
		}
		return limit
	}
	billion := new(big.Rat).SetInt64(1e9)
	n := new(big.Rat).Mul(x, billion)
	rounded, rest := new(big.Int).QuoRem(n.Num(), n.Denom(), new(big.Int))
	rounded.Add(rounded, big.NewInt(int64(rest.Sign())))
	return new(big.Rat).Quo(new(big.Rat).SetInt(rounded), billion)
}
