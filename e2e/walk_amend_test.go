package e2e

import (
	"regexp"
	"strings"
)

// amendable is a refusal that says what else must be asked for.
var amendable = regexp.MustCompile(`stands beside|needs |is missing`)

// located are the errors of a refusal.
var located = regexp.MustCompile(`"location":"([^"]+)",[^{}]*?"message":"([^"]+)"`)

// remedies are the actions that refusals ask for.
var remedies = []struct {
	says string
	sets setting
}{
	{"needs the profile truck", setting{"{profile}", "truck"}},
	{"needs steps=true", setting{"?steps", "true"}},
	{"needs the costing truck", setting{"costing", "truck"}},
	{"needs the costing transit", setting{"costing", "transit"}},
	{"needs dataset", setting{"dataset", "own"}},
	{"needs emissions", setting{"emissions.fuel", "electric"}},
	{"date_time.value: is missing", setting{"date_time.value", "2099-06-01T09:00"}},
	{"emissions.euro_standard: is missing", setting{"emissions.euro_standard", "3"}},
	{"filters.action: is missing", setting{"filters.action", "include"}},
}

// amend returns the request with what the refusal of one with a further member names,
// and false where it names nothing known or nothing that is missing.
func amend(r variant, path, refusal string) (variant, bool) {
	var more []setting
	query := ""
	if path[0] == '?' {
		query = "?"
	}
	for _, found := range located.FindAllStringSubmatch(refusal, -1) {
		where := regexp.MustCompile(`\[\d+\]`).ReplaceAllString(found[1], "[]")
		other, ok := strings.CutPrefix(found[2], "stands beside ")
		if !ok {
			continue
		}
		other = regexp.MustCompile(`^\w+`).FindString(other)
		if query+where == path { // the other one has to go
			where = where[:strings.LastIndex(where, ".")+1] + other
		}
		for one := range strings.SplitSeq(where, " and ") {
			more = append(more, setting{query + one, "none"})
		}
	}
	for _, m := range remedies {
		if strings.Contains(refusal, m.says) {
			more = append(more, m.sets)
		}
	}
	amended := r.with(more...)
	return amended, len(more) > 0 && amended.String() != r.String()
}
