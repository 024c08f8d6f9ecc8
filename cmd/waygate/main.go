// Command waygate turns an OpenStreetMap extract into a region and serves
// routing over HTTP from it.
package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/agnivade/levenshtein"
	"github.com/alecthomas/kong"
)

// commands is the command line: one field and one file for each subcommand.
type commands struct {
	Run       runCommand       `cmd:"" help:"Build the sample county and serve it with a map: the quick start."`
	Import    importCommand    `cmd:"" help:"Build or refresh a region from OpenStreetMap extracts."`
	Serve     serveCommand     `cmd:"" help:"Serve a region over HTTP. Every setting is also an environment variable."`
	Verify    verifyCommand    `cmd:"" help:"Check a region's checksums, versions and invariants."`
	Territory territoryCommand `cmd:"" help:"Publish packages of areas for use without a network, and fetch them."`
	Traffic   trafficCommand   `cmd:"" help:"Learn usual speeds from live traffic."`
	Zones     zonesCommand     `cmd:"" help:"Check, compile and convert files of clean-air zones."`
	Keys      keysCommand      `cmd:"" help:"Mint, list and revoke keys and give credit, on the database itself."`
	Backup    backupCommand    `cmd:"" help:"Copy the accounts of a server with SQLite while it runs."`
	Bench     benchCommand     `cmd:"" help:"Make sets of requests, run them against servers, and compare."`
	Sample    sampleCommand    `cmd:"" help:"Write the sample county's sources."`
	Version   versionCommand   `cmd:"" help:"Print the version."`

	Completion completionCommand `cmd:"" help:"Print the script that completes commands and flags in a shell."`
	Complete   completeCommand   `cmd:"" hidden:"" help:"List what may come next on a command line; for those scripts."`

	VersionFlag kong.VersionFlag `name:"version" help:"Print the version."`
}

// readEnvironment unsets settings that are set to nothing, as deployment files
// often have them: to the command line an empty folder would be the current one
// and an empty number a mistake. It fails on a setting that no command has, since
// one that is misspelt would be left out in silence.
func readEnvironment(known map[string]bool) error {
	for _, e := range os.Environ() {
		name, value, _ := strings.Cut(e, "=")
		switch {
		case !strings.HasPrefix(name, "SVC_"):
		case !known[name]:
			return fmt.Errorf("%s is no setting%s: waygate serve --help lists them all", name, suggestion(name, known))
		case value == "":
			if err := os.Unsetenv(name); err != nil {
				return err
			}
		}
	}
	return nil
}

// suggestion names the setting that name is most like, if one is.
func suggestion(name string, known map[string]bool) string {
	names := slices.Collect(maps.Keys(known))
	slices.Sort(names)
	best, least := "", len(name)/3+1
	for _, k := range names {
		if d := levenshtein.ComputeDistance(name, k); d < least {
			best, least = k, d
		}
	}
	if best == "" {
		return ""
	}
	return " (did you mean " + best + "?)"
}

// environment lists the variables that set something on the command line.
func environment(node *kong.Node, names map[string]bool) map[string]bool {
	for _, f := range node.Flags {
		for _, e := range f.Envs {
			names[e] = true
		}
	}
	for _, c := range node.Children {
		environment(c, names)
	}
	return names
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "waygate:", err)
		os.Exit(1)
	}
}

// newParser makes the parser of the command line, which fills c.
func newParser(ctx context.Context, c *commands) (*kong.Kong, error) {
	return kong.New(c,
		kong.Name("waygate"),
		kong.Description("A self-hosted geospatial routing gateway."),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 120}),
		kong.Vars{"version": fullVersion()},
		kong.PostBuild(func(k *kong.Kong) error { titleGroups(k.Model.Node); return nil }),
		kong.BindTo(ctx, (*context.Context)(nil)))
}

// titleGroups has the help write the names of groups of flags as it writes its own.
func titleGroups(node *kong.Node) {
	for _, f := range node.Flags {
		if f.Group != nil {
			f.Group.Title = f.Group.Key + ":"
		}
	}
	for _, c := range node.Children {
		titleGroups(c)
	}
}

// run does what the arguments say. A mistake in them is answered with its reason
// and where to read on, rather than with all that could have been said.
func run(args []string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	parser, err := newParser(ctx, &commands{})
	if err != nil {
		return err
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	if err := readEnvironment(environment(parser.Model.Node, map[string]bool{})); err != nil {
		return err
	}
	line, err := parser.Parse(args)
	if wrong := (*kong.ParseError)(nil); errors.As(err, &wrong) {
		command := "waygate"
		if at := wrong.Context.Command(); at != "" {
			command += " " + at
		}
		return fmt.Errorf("%w\nsee %s --help", err, command)
	}
	if err != nil {
		return err
	}
	err = line.Run()
	if errors.Is(err, context.Canceled) && ctx.Err() != nil {
		return errors.New("interrupted")
	}
	return err
}
