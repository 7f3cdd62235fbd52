package goals

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/client-go/util/jsonpath"

	"kstatus.dev/internal/text"
	"kstatus.dev/observe"
	"kstatus.dev/observe/goal"
	"kstatus.dev/status"
)

// The goals without a value, with kubectl's words for them. The words are not case-sensitive.
var plainGoals = map[string]func() observe.Goal{
	"current": goal.Current, "settled": goal.Settled,
	"created": goal.Created, "create": goal.Created,
	"deleted": goal.Deleted, "delete": goal.Deleted,
}

// ConditionGoal and JSONPathGoal are the prefixes of goals with a value.
const ConditionGoal, JSONPathGoal = "condition=", "jsonpath="

// GoalSyntax lists the goals, for messages.
const GoalSyntax = "current, settled, created, deleted, condition=TYPE[=VALUE] or jsonpath=EXPRESSION[=VALUE]"

// ParseGoal parses a value of --for, [SEL:]GOAL. Without a SEL the scope has no text. Since
// names and expressions may contain colons, ParseGoal splits at the first colon before a goal.
func ParseGoal(text string) (Scoped[observe.Goal], error) {
	if isGoal(text) {
		g, err := goalOf(text)
		return Scoped[observe.Goal]{Value: g}, err
	}
	for i, c := range text {
		if c != ':' || !isGoal(text[i+1:]) {
			continue
		}
		sel, err := ParseScope(text[:i])
		if err != nil {
			return Scoped[observe.Goal]{}, fmt.Errorf("--for %q: %w", text, err)
		}
		g, err := goalOf(text[i+1:])
		return Scoped[observe.Goal]{sel, g}, err
	}
	hint := ""
	if word := text[strings.LastIndexByte(text, ':')+1:]; word != "" && isConditionWord(word) {
		hint = fmt.Sprintf("; did you mean condition=%s?", strings.ToUpper(word[:1])+strings.ToLower(word[1:]))
	}
	return Scoped[observe.Goal]{}, fmt.Errorf("--for %q: want [SEL:]GOAL, with a goal of %s%s", text, GoalSyntax, hint)
}

// isConditionWord reports whether a word is a condition type that many kinds have.
func isConditionWord(word string) bool {
	return slices.Contains([]string{"ready", "available", "complete", "failed", "established", "synced", "progressing"}, strings.ToLower(word))
}

// isGoal reports whether a text has the form of a goal.
func isGoal(text string) bool {
	return plainGoals[strings.ToLower(text)] != nil || strings.HasPrefix(text, ConditionGoal) || strings.HasPrefix(text, JSONPathGoal)
}

// goalOf parses a goal. It also accepts the syntax of kubectl wait.
func goalOf(text string) (observe.Goal, error) {
	if plain := plainGoals[strings.ToLower(text)]; plain != nil {
		return plain(), nil
	}
	if path, ok := strings.CutPrefix(text, JSONPathGoal); ok {
		return fieldGoal(text, path)
	}
	kind, value, valued := strings.Cut(strings.TrimPrefix(text, ConditionGoal), "=")
	if !valued {
		value = "True"
	}
	if kind == "" || value == "" {
		return observe.Goal{}, fmt.Errorf("--for %q: want condition=TYPE or condition=TYPE=VALUE", text)
	}
	return goal.Condition(kind, value), nil
}

// fieldGoal returns the goal that an expression has a value. Without a value, the goal is that
// the field exists.
func fieldGoal(name, field string) (observe.Goal, error) {
	expression, want, valued := splitJSONPath(field)
	if valued && want == "" {
		return observe.Goal{}, fmt.Errorf("--for %q: want a value after the last =", name)
	}
	path := jsonpath.New("goal").AllowMissingKeys(true)
	if err := path.Parse(expression); err != nil {
		return observe.Goal{}, fmt.Errorf("--for %q: %w", name, err)
	}
	met := func(_ observe.Update, obj status.Object) (bool, string) {
		if obj == nil {
			return false, ""
		}
		found, err := path.FindResults(obj.UnstructuredContent())
		if err != nil {
			return false, fmt.Sprintf("%s: %v", expression, err)
		}
		var values []string
		for _, set := range found {
			for _, v := range set {
				if v.IsValid() && v.CanInterface() {
					values = append(values, fmt.Sprint(v.Interface()))
				}
			}
		}
		switch {
		case len(values) == 0:
			return false, expression + " does not exist"
		case !valued:
			return true, ""
		case len(values) > 1:
			return false, fmt.Sprintf("%s has %d values", expression, len(values))
		case values[0] == want:
			return true, ""
		}
		return false, fmt.Sprintf("%s is %s", expression, text.Cut(values[0], 60+len(text.Ellipsis)))
	}
	return observe.Goal{Name: name, Met: met}, nil
}

// splitJSONPath splits {.status.phase}=Running into an expression with braces and a value. The
// braces are optional, and both parts may have quotes.
func splitJSONPath(text string) (expression, want string, valued bool) {
	end := strings.LastIndex(text, "}")
	if end < 0 {
		expression, want, valued = strings.Cut(text, "=")
	} else {
		expression, want = text[:end+1], text[end+1:]
		want = strings.TrimLeft(want, `'"`)
		want, valued = strings.CutPrefix(want, "=")
	}
	expression = strings.Trim(expression, `'"`)
	if !strings.HasPrefix(expression, "{") {
		expression = "{." + strings.TrimPrefix(expression, ".") + "}"
	}
	if n := len(want); n >= 2 && want[0] == want[n-1] && (want[0] == '"' || want[0] == '\'') {
		want = want[1 : n-1]
	}
	return expression, want, valued
}
