// Command waygate turns an OpenStreetMap extract into a region and serves
// routing over HTTP from it.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"
)

// commands is the command line: one field and one file for each subcommand.
type commands struct {
	Run     runCommand     `cmd:"" help:"Build the sample county and serve it with a map: the quick start."`
	Import  importCommand  `cmd:"" help:"Build or refresh a region from OpenStreetMap extracts."`
	Serve   serveCommand   `cmd:"" help:"Serve a region over HTTP. Every setting is also an environment variable."`
	Verify  verifyCommand  `cmd:"" help:"Check a region's checksums, versions and invariants."`
	Sample  sampleCommand  `cmd:"" help:"Write the sample county's sources."`
	Version versionCommand `cmd:"" help:"Print the version."`
}

func main() {
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
