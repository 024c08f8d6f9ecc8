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

	"github.com/waygate/waygate/cmd/waygate/bench"
	"github.com/waygate/waygate/cmd/waygate/clearance"
	"github.com/waygate/waygate/cmd/waygate/completion"
	"github.com/waygate/waygate/cmd/waygate/county"
	"github.com/waygate/waygate/cmd/waygate/offline"
	"github.com/waygate/waygate/cmd/waygate/plan"
	"github.com/waygate/waygate/cmd/waygate/pointcloud"
	"github.com/waygate/waygate/cmd/waygate/regions"
	"github.com/waygate/waygate/cmd/waygate/replay"
	"github.com/waygate/waygate/cmd/waygate/transit"
	"github.com/waygate/waygate/cmd/waygate/version"
	"github.com/waygate/waygate/cmd/waygate/zones"
)

// commands is the command line: one field and one file for each subcommand.
type commands struct {
	Run        runCommand         `cmd:"" help:"Try Waygate: build an invented sample county and serve it with a map."`
	Import     regions.Import     `cmd:"" help:"Build a region from OpenStreetMap extracts, or update one."`
	Serve      serveCommand       `cmd:"" help:"Serve one or more regions over HTTP. Every flag can also be set by an environment variable."`
	Plan       plan.Command       `cmd:"" help:"Solve a vehicle routing problem from a file, without a server."`
	Verify     regions.Verify     `cmd:"" help:"Check that a region's files are complete and undamaged."`
	Replay     replay.Command     `cmd:"" help:"Verify a signed answer and compute it again on the same region."`
	Territory  offline.Command    `cmd:"" help:"Publish or download packages of areas for offline use."`
	Traffic    trafficCommand     `cmd:"" help:"Compute usual speeds from recorded live traffic."`
	Transit    transit.Command    `cmd:"" help:"Measure the stops of public transport."`
	Pointcloud pointcloud.Command `cmd:"" help:"Inspect, check and convert point clouds: LAS, LAZ and COPC files."`
	Clearance  clearance.Command  `cmd:"" help:"Measure the clearance above roads in point clouds, for reports along routes."`
	Heritage   regions.Heritage   `cmd:"" help:"Check files of heritage corridors, and write them into a region."`
	Voice      voiceCommand       `cmd:"" help:"Fill the bank of spoken clips, and publish it for offline use."`
	Zones      zones.Command      `cmd:"" help:"Check, compile and convert files of clean-air zones."`
	Keys       keysCommand        `cmd:"" help:"Create, list and revoke API keys and give credit, directly in the database."`
	Backup     backupCommand      `cmd:"" help:"Back up the SQLite database of accounts, also while the server runs."`
	Bench      bench.Command      `cmd:"" help:"Measure servers: make sets of requests, send them, and compare the answers."`
	Sample     county.Command     `cmd:"" help:"Write the source files of the sample county."`
	Version    version.Command    `cmd:"" help:"Print the version."`

	Completion completion.Command  `cmd:"" help:"Print a script for your shell that completes commands and flags."`
	Complete   completion.Complete `cmd:"" hidden:"" help:"List the completions of a command line; used by those scripts."`

	VersionFlag kong.VersionFlag `name:"version" help:"Print the version."`
}

// readEnvironment unsets empty settings, which deployment files often have: the command
// line would read an empty folder as the current one and an empty number as a mistake.
// It fails on an unknown setting, which would otherwise be ignored silently.
func readEnvironment(known map[string]bool) error {
	for _, e := range os.Environ() {
		name, value, _ := strings.Cut(e, "=")
		switch {
		case !strings.HasPrefix(name, "SVC_"):
		case !known[name]:
			return fmt.Errorf("%s is not a known setting%s; use waygate serve --help to list all settings", name, suggestion(name, known))
		case value == "":
			if err := os.Unsetenv(name); err != nil {
				return err
			}
		}
	}
	return nil
}

// suggestion names the setting most similar to name, if there is one.
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

// environment lists the environment variables that the command line reads.
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

// newParser returns the parser of the command line, which fills c.
func newParser(ctx context.Context, c *commands) (*kong.Kong, error) {
	return kong.New(c,
		kong.Name("waygate"),
		kong.Description("A self-hosted geospatial routing gateway."),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 120}),
		kong.Vars{"version": version.Full()},
		kong.PostBuild(func(k *kong.Kong) error { titleGroups(k.Model.Node); return nil }),
		kong.BindTo(ctx, (*context.Context)(nil)))
}

// titleGroups makes the help title groups of flags in its own style.
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

// run parses the arguments and runs the command. The error for a wrong argument gives
// the reason and names the help, instead of printing all of it.
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
		for _, word := range strings.Fields(wrong.Context.Command()) {
			if !strings.HasPrefix(word, "<") { // an argument
				command += " " + word
			}
		}
		return fmt.Errorf("%w\nuse %s --help for help", err, command)
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
