// Command conformance reads the results of the engines' suite (go test -json) and writes how
// many of the checks of each behaviour every engine passes, as a Markdown table.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"
)

// score counts the checks of one behaviour.
type score struct{ passed, failed, skipped int }

func (s score) String() string {
	text := fmt.Sprint(s.passed)
	if s.failed > 0 {
		text += fmt.Sprintf(", **%d otherwise**", s.failed)
	}
	if s.skipped > 0 {
		text += fmt.Sprintf(", %d not asked", s.skipped)
	}
	if s == (score{}) {
		text = "-"
	}
	return text
}

func main() {
	if err := write(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func write(from io.Reader, to io.Writer) error {
	var behaviours, engines []string
	scores := map[[2]string]score{}
	results := map[[2]string]string{} // by engine and test
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var e struct{ Action, Package, Test string }
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			continue // what the build prints
		}
		if e.Action == "pass" || e.Action == "fail" || e.Action == "skip" {
			name := strings.TrimPrefix(strings.TrimPrefix(e.Test, "TestRealValhalla/suite"), "TestSuite")
			if name = strings.TrimPrefix(name, "/"); name != "" && e.Test != name {
				results[[2]string{path.Base(e.Package), name}] = e.Action
			}
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	for at, action := range results {
		inner := false // only what has no checks within it counts
		for other := range results {
			inner = inner || other[0] == at[0] && strings.HasPrefix(other[1], at[1]+"/")
		}
		if inner {
			continue
		}
		behaviour, _, _ := strings.Cut(at[1], "/")
		behaviour = strings.ReplaceAll(behaviour, "_", " ")
		key := [2]string{behaviour, at[0]}
		s := scores[key]
		switch action {
		case "pass":
			s.passed++
		case "fail":
			s.failed++
		default:
			s.skipped++
		}
		scores[key] = s
		for list, x := range map[*[]string]string{&behaviours: behaviour, &engines: at[0]} {
			if !slices.Contains(*list, x) {
				*list = append(*list, x)
			}
		}
	}
	slices.Sort(behaviours)
	slices.Sort(engines)
	if _, err := fmt.Fprintf(to, "behaviour | %s\n---%s\n", strings.Join(engines, " | "), strings.Repeat("|---", len(engines))); err != nil {
		return err
	}
	for _, b := range behaviours {
		row := []string{b}
		for _, e := range engines {
			row = append(row, scores[[2]string{b, e}].String())
		}
		if _, err := fmt.Fprintln(to, strings.Join(row, " | ")); err != nil {
			return err
		}
	}
	return nil
}
