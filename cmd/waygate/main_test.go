package main

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/alecthomas/kong"
)

// TestHelpIsReadable writes the help of every command for a terminal of 80 columns: no
// line is longer, no value is called STRING, and where there are many flags they are in
// groups of at most sixteen.
func TestHelpIsReadable(t *testing.T) {
	const columns, many, most = 80, 10, 16
	parser, err := newParser(t.Context(), &commands{})
	if err != nil {
		t.Fatal(err)
	}
	for _, node := range parser.Model.Leaves(true) {
		t.Run(node.Path(), func(t *testing.T) {
			parser, err := newParser(t.Context(), &commands{})
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			parser.Stdout = &out
			at, err := kong.Trace(parser, strings.Fields(strings.TrimPrefix(node.Path(), "waygate ")))
			if err != nil {
				t.Fatal(err)
			}
			if err := at.PrintUsage(false); err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(out.String()) {
				if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > columns || strings.Contains(line, "=STRING") {
					t.Errorf("%d columns: %s", n, line)
				}
			}
			groups := map[string]int{}
			for _, f := range node.Flags {
				name := ""
				if f.Group != nil {
					name = f.Group.Key
				}
				groups[name]++
			}
			for name, n := range groups {
				if n > most || name == "" && len(node.Flags) >= many && n > 6 {
					t.Errorf("group %q has %d flags of %d", name, n, len(node.Flags))
				}
			}
		})
	}
}

// TestMistakes checks that a mistake on the command line or in the environment is
// answered with its reason first, and where to read on.
func TestMistakes(t *testing.T) {
	for _, c := range []struct {
		name, value string // of a variable
		args        []string
		want        []string
	}{
		{args: []string{"serv"}, want: []string{`unexpected argument serv`, `"serve"`, "waygate --help"}},
		{args: []string{"serve", "--no-such"}, want: []string{"unknown flag --no-such", "waygate serve --help"}},
		{args: []string{"import"}, want: []string{"--out", "waygate import --help"}},
		{args: []string{"plan", "problem.json"}, want: []string{"--region", "waygate plan --help"}},
		{args: []string{"serve", "--max-body", "0"}, want: []string{"SVC_MAX_BODY is 0", "waygate serve --help"}},
		{name: "SVC_DEMO_RPM", value: "many", args: []string{"serve"}, want: []string{"--demo-rpm", `"many"`}},
		{name: "SVC_DEMO_RMP", value: "3", args: []string{"version"}, want: []string{"SVC_DEMO_RMP is not a known setting", "did you mean SVC_DEMO_RPM?"}},
		{name: "SVC_QQQQQ", value: "", args: []string{"version"}, want: []string{"SVC_QQQQQ is not a known setting; "}},
	} {
		t.Run(c.name+strings.Join(c.args, " "), func(t *testing.T) {
			if c.name != "" {
				t.Setenv(c.name, c.value)
			}
			err := run(c.args)
			if err == nil {
				t.Fatal("no error")
			}
			for _, w := range c.want {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("%q does not say %q", err, w)
				}
			}
			if first, _, _ := strings.Cut(err.Error(), "\n"); strings.Contains(first, "Usage") {
				t.Errorf("%q does not begin with the reason", err)
			}
		})
	}
	t.Run("a setting that is empty is none", func(t *testing.T) {
		t.Setenv("SVC_MAX_BODY", "")
		if err := run([]string{"version"}); err != nil {
			t.Error(err)
		}
	})
}
