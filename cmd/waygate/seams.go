package main

import (
	"context"
	"errors"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/region"
)

// errAbsent says that a room this build lacks would have done the work.
var errAbsent = errors.New("not in this build")

// buildRegion makes or refreshes the region in dir from extracts.
func buildRegion(_ context.Context, _ build) error { return errAbsent }

// openEmbedded opens our own engine on a region.
func openEmbedded(_ *region.Region) (engine.Engine, error) { return nil, errAbsent }

// openValhalla connects to a Valhalla server.
func openValhalla(_ string) (engine.Engine, error) { return nil, errAbsent }

// writeSample writes the sample county's extract into dir and gives its path.
func writeSample(_ string) (string, error) { return "", errAbsent }
