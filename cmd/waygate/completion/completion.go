// Package completion completes commands in a shell.
package completion

import (
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// The shell scripts call waygate complete to list completions.
var (
	//go:embed waygate.bash
	bashScript string
	//go:embed waygate.zsh
	zshScript string
	//go:embed waygate.fish
	fishScript string
)

// Command is waygate completion.
type Command struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"The shell (${enum})."`
}

// Run prints the script of a shell.
func (c *Command) Run(app *kong.Kong) error {
	script := map[string]string{"bash": bashScript, "zsh": zshScript, "fish": fishScript}[c.Shell]
	_, err := io.WriteString(app.Stdout, script)
	return err
}

// Complete is waygate complete, which those scripts call.
type Complete struct {
	Words []string `arg:"" optional:"" passthrough:"" help:"The words of the command line after the program's name."`
}

// Run prints the completions of the last word, one a line with a tab and its
// description. It prints nothing if the word is a file name or free text.
func (c *Complete) Run(app *kong.Kong) error {
	words := c.Words
	if len(words) > 0 && words[0] == "--" {
		words = words[1:]
	}
	for _, one := range candidates(app.Model.Node, words) {
		if _, err := fmt.Fprintf(app.Stdout, "%s\t%s\n", one.word, one.says); err != nil {
			return err
		}
	}
	return nil
}

// candidate is a completion.
type candidate struct{ word, says string }

// candidates lists the completions of the last of some words.
func candidates(node *kong.Node, words []string) []candidate {
	if len(words) == 0 {
		words = []string{""}
	}
	last, places := words[len(words)-1], 0
	for i := 0; i < len(words)-1; i++ {
		word := words[i]
		if !strings.HasPrefix(word, "-") {
			if child := childOf(node, word); child != nil {
				node, places = child, 0
			} else {
				places++
			}
			continue
		}
		f := flagOf(node, word)
		if f == nil || f.IsBool() || strings.Contains(word, "=") {
			continue
		}
		i++ // its value is the next word; Bash has the sign between as a word of its own
		if i < len(words) && words[i] == "=" && i < len(words)-1 {
			i++
		}
		if i >= len(words)-1 {
			return among(f.Value, "", strings.TrimPrefix(last, "="))
		}
	}
	if name, value, ok := strings.Cut(last, "="); ok && strings.HasPrefix(last, "-") {
		if f := flagOf(node, name); f != nil {
			return among(f.Value, name+"=", value)
		}
		return nil
	}
	if strings.HasPrefix(last, "-") {
		return flags(node, last)
	}
	var list []candidate
	for _, child := range node.Children {
		if !child.Hidden && strings.HasPrefix(child.Name, last) {
			list = append(list, candidate{child.Name, short(child.Help)})
		}
	}
	if places < len(node.Positional) {
		list = append(list, among(node.Positional[places], "", last)...)
	}
	return list
}

func childOf(node *kong.Node, name string) *kong.Node {
	i := slices.IndexFunc(node.Children, func(c *kong.Node) bool { return c.Name == name })
	if i < 0 {
		return nil
	}
	return node.Children[i]
}

// flagOf returns the flag that a word sets, with or without a value.
func flagOf(node *kong.Node, word string) *kong.Flag {
	name, _, _ := strings.Cut(word, "=")
	for _, level := range node.AllFlags(false) {
		for _, f := range level {
			if name == "--"+f.Name || f.Short != 0 && name == "-"+string(f.Short) || f.Tag.Negatable != "" && name == "--no-"+f.Name {
				return f
			}
		}
	}
	return nil
}

// flags lists the flags that begin with a text.
func flags(node *kong.Node, begin string) (list []candidate) {
	for _, level := range node.AllFlags(true) {
		for _, f := range level {
			names := []string{"--" + f.Name}
			if f.Tag.Negatable != "" {
				names = append(names, "--no-"+f.Name)
			}
			for _, name := range names {
				if strings.HasPrefix(name, begin) {
					list = append(list, candidate{name, short(f.Help)})
				}
			}
		}
	}
	return list
}

// among lists the values of a flag or an argument with a fixed list of them.
func among(v *kong.Value, before, begin string) (list []candidate) {
	if v.Enum == "" {
		return nil
	}
	for _, one := range v.EnumSlice() {
		if strings.HasPrefix(one, begin) {
			list = append(list, candidate{before + one, ""})
		}
	}
	return list
}

// longestHelp is the most characters of a description beside a candidate.
const longestHelp = 70

// short returns the first sentence of a description, clipped.
func short(help string) string {
	help, _, _ = strings.Cut(help, ". ")
	help, _, _ = strings.Cut(help, ": ")
	help = strings.TrimSuffix(help, ".")
	if text := []rune(help); len(text) > longestHelp {
		help = string(text[:longestHelp-1]) + "…"
	}
	return help
}
