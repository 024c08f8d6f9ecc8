// Command globe draws the map of the world that lies under the maps of regions, from
// the features that globe.mjs writes: `make globe`.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/waygate/waygate/importer/basemap"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: globe OUT.pmtiles < features.geojsonl")
		os.Exit(2)
	}
	s, err := basemap.Globe(context.Background(), os.Stdin, os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "globe:", err)
		os.Exit(1)
	}
	fmt.Printf("%d features in %d tiles, the largest of %d bytes\n", s.Features, s.Tiles.Addressed, s.Largest)
}
