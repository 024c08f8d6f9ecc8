// Command waygate turns an OpenStreetMap extract into a region and serves
// routing over HTTP from it.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"
)

// commands is the command line: one field and one file for each subcommand.
type commands struct {
	Run     runCommand     `cmd:"" help:"Build the sample county and serve it with a map: the quick start."`
	Import  importCommand  `cmd:"" help:"Build or refresh a region from OpenStreetMap extracts."`
	Serve   serveCommand   `cmd:"" help:"Serve a region over HTTP. Every setting is also an environment variable."`
	Verify  verifyCommand  `cmd:"" help:"Check a region's checksums, versions and invariants."`
	Keys    keysCommand    `cmd:"" help:"Mint, list and revoke keys and give credit, on the database itself."`
	Bench   benchCommand   `cmd:"" help:"Make sets of requests, run them against servers, and compare."`
	Sample  sampleCommand  `cmd:"" help:"Write the sample county's sources."`
	Version versionCommand `cmd:"" help:"Print the version."`
}

// forgetEmpty unsets settings that are set to nothing, as deployment files
// often have them: to the command line an empty folder would be the current
// one and an empty number a mistake.
func forgetEmpty() error {
	for _, e := range os.Environ() {
		if name, value, _ := strings.Cut(e, "="); value == "" && strings.HasPrefix(name, "SVC_") {
			if err := os.Unsetenv(name); err != nil {
				return err
			}
		}
	}
	return nil
}

func main() {
	if err := forgetEmpty(); err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "waygate:", err)
		os.Exit(1)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var c commands
	line := kong.Parse(&c,
		kong.Name("waygate"),
		kong.Description("A self-hosted geospatial routing gateway."),
		kong.UsageOnError(),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 120}),
		kong.BindTo(ctx, (*context.Context)(nil)))
	line.FatalIfErrorf(line.Run())
}
