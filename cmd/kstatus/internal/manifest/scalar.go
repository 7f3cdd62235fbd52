package manifest

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

const quoted = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle

// scalar returns the value of a scalar by the rules of YAML 1.1, like kubectl: yes and on are
// booleans. Timestamps stay strings.
func scalar(n *yaml.Node) (any, error) {
	switch {
	case n.Style&yaml.TaggedStyle != 0:
		return tagged(n)
	case n.Style&quoted != 0:
		return n.Value, nil
	}
	return plainScalar(n.Value)
}

// tagged returns the value of a scalar with an explicit type, as in !!str 1.
func tagged(n *yaml.Node) (any, error) {
	if n.Tag == "!!str" || n.Tag == "!!timestamp" {
		return n.Value, nil
	}
	var v any
	if err := n.Decode(&v); err != nil {
		return nil, fmt.Errorf("a value is not of the type %s that it is tagged with", n.Tag)
	}
	switch v := v.(type) {
	case int:
		return int64(v), nil
	case uint64:
		return float64(v), nil
	case float64:
		return finite(v)
	}
	return v, nil
}

// plainScalar returns the value of a scalar without quotes.
func plainScalar(text string) (any, error) {
	if text == "" {
		return nil, nil
	}
	switch c := text[0]; {
	case c == '~' || 'a' <= c|0x20 && c|0x20 <= 'z':
		return word(text), nil
	case c == '+' || c == '-' || c == '.' || '0' <= c && c <= '9':
		return number(text)
	}
	return text, nil
}

// word returns the value of a plain scalar that is not a number: mostly the word itself.
func word(text string) any {
	switch text {
	case "true", "True", "TRUE", "yes", "Yes", "YES", "y", "Y", "on", "On", "ON":
		return true
	case "false", "False", "FALSE", "no", "No", "NO", "n", "N", "off", "Off", "OFF":
		return false
	case "null", "Null", "NULL", "~":
		return nil
	}
	return text
}

// number returns a text as a number, if it is one.
func number(text string) (any, error) {
	switch strings.ToLower(strings.TrimLeft(text, "+-")) {
	case ".inf", ".nan":
		return nil, errors.New("a number is infinite or NaN")
	}
	if strings.IndexFunc(text, func(r rune) bool { return !strings.ContainsRune("0123456789+-._xXoObBaAcCdDeEfF", r) }) >= 0 {
		return text, nil
	}
	digits := strings.ReplaceAll(text, "_", "")
	if n, err := strconv.ParseInt(digits, 0, 64); err == nil {
		return n, nil
	}
	if n, err := strconv.ParseUint(digits, 0, 64); err == nil {
		return float64(n), nil
	}
	if strings.Trim(digits, "0123456789+-.eE") != "" {
		return text, nil
	}
	if x, err := strconv.ParseFloat(digits, 64); err == nil {
		return finite(x)
	}
	return text, nil
}

func finite(x float64) (any, error) {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return nil, errors.New("a number is infinite or NaN")
	}
	return x, nil
}
