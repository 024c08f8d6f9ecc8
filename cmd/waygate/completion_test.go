package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// TestCompletions completes command lines, whose words are separated by | and of which
// the last is being written.
func TestCompletions(t *testing.T) {
	for line, want := range map[string]string{
		"se":                               "serve",
		"keys|":                            "mint list revoke credit",
		"keys|mint|--sc":                   "--scope",
		"keys|mint|--scope|":               "full maps",
		"keys|mint|--scope|=|m":            "maps", // as Bash splits it
		"keys|mint|--scope|=":              "full maps",
		"keys|mint|--scope=f":              "--scope=full",
		"keys|mint|--scope|full|--js":      "--json",
		"keys|mint|--scope=full|--js":      "--json",
		"keys|mint|--scope|=|full|--js":    "--json",
		"keys|mint|--json|--js":            "--json",
		"serve|--log-f":                    "--log-format",
		"serve|--region|":                  "", // a folder: the shell's own affair
		"serve|--region|a|--log-format|js": "json",
		"plan|--re":                        "--region --replan",
		"run|--no-s":                       "--no-sample-traffic --no-sample-survey",
		"bench|make|-n|5|--kin":            "--kind",
		"completion|":                      "bash zsh fish",
		"completion|bash|":                 "",
		"verify|":                          "",
		"comp":                             "completion", // not the command that scripts call
		"serve|--nonsense|--log-l":         "--log-level",
		"serve|--nonsense=":                "",
	} {
		got := completed(t, strings.Split(line, "|"))
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", line, got, want)
		}
	}
	if all := completed(t, nil); len(all) < 10 {
		t.Errorf("nothing written yet: %v", all)
	}
}

// completed returns the words that waygate complete prints for a command line. Each must
// have a description.
func completed(t *testing.T, line []string) (words []string) {
	t.Helper()
	parser, err := newParser(t.Context(), &commands{})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	parser.Stdout = &out
	command, err := parser.Parse(append([]string{"complete", "--"}, line...))
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Run(); err != nil {
		t.Fatal(err)
	}
	for one := range strings.Lines(out.String()) {
		word, description, tab := strings.Cut(strings.TrimSuffix(one, "\n"), "\t")
		if !tab || strings.Contains(description, "\t") {
			t.Errorf("%v: the line %q is no word with its description", line, one)
		}
		words = append(words, word)
	}
	return words
}

// TestFlagsHaveOneMeaning looks for commands that have two flags of one name, of which one
// would hide the other.
func TestFlagsHaveOneMeaning(t *testing.T) {
	t.Parallel()
	var c commands
	parser, err := newParser(t.Context(), &c)
	if err != nil {
		t.Fatal(err)
	}
	var walk func(n *kong.Node)
	walk = func(n *kong.Node) {
		seen := map[string]bool{}
		for _, group := range n.AllFlags(false) {
			for _, f := range group {
				if seen[f.Name] {
					t.Errorf("%s has two flags --%s", n.FullPath(), f.Name)
				}
				seen[f.Name] = true
			}
		}
		for _, child := range n.Children {
			walk(child)
		}
	}
	walk(parser.Model.Node)
}
