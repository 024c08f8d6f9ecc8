// Package heritage has reviewed lines of text about places beside a road. Each has its
// position, source, licence and reviewer. The package reads and checks the file that a
// corridor is kept in, writes and opens the section of a region that has them, and finds
// them by position; feature/heritage decides which lines are spoken along a route.
package heritage

import (
	"fmt"
	"io"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/strict"
)

// Format and Version identify a file of a corridor.
const (
	Format  = "waygate-heritage"
	Version = 1
)

// Corpus is a file: a corridor and its entries.
type Corpus struct {
	Format      string   `json:"format"`
	Version     int      `json:"version"`
	Corridor    Corridor `json:"corridor"`
	ReviewedOn  string   `json:"reviewed_on"` // the day of the last review of all entries, YYYY-MM-DD
	Attribution []string `json:"attribution"` // to be shown with the lines, word for word
	Entries     []Entry  `json:"entries"`
}

// Corridor is the road that the entries are about.
type Corridor struct {
	ID   string       `json:"id"`   // lower-case letters, digits and hyphens
	Name string       `json:"name"` // for people
	Road string       `json:"road"` // its names or numbers, for people
	Line [][2]float64 `json:"line"` // longitude and latitude in degrees, as in GeoJSON
}

// Entry is one line of text and what it rests on.
type Entry struct {
	ID        string   `json:"id"` // as that of a corridor, and no other entry's
	Lat       float64  `json:"lat"`
	Lon       float64  `json:"lon"`
	Direction *float64 `json:"direction_deg,omitempty"` // course of those whom it is for, in degrees from north; nil is both directions
	Text      string   `json:"text"`                    // as it is spoken
	Subject   string   `json:"subject"`
	Basis     string   `json:"basis"` // one of Bases
	PlaqueIDs []string `json:"plaque_ids,omitempty"`
	Source    string   `json:"source"` // http(s) address of what the text was checked against
	Licence   string   `json:"licence"`
	Reviewer  string   `json:"reviewer"`
}

// At returns the position.
func (e *Entry) At() geo.Point { return geo.Point{Lon: e.Lon, Lat: e.Lat} }

// Bases are the bases that an entry's text may have: the words of a plaque, other facts
// of a map, or another published record.
var Bases = []string{"plaque", "map", "record"}

// Limits of a file.
const (
	MostBytes     = 16 << 20
	MostEntries   = 5000 // of a corridor
	MostOfRegion  = 20_000
	MostPositions = 20_000
	MostText      = 400 // characters that are spoken
	MostWords     = 200 // characters of other members
	MostOffset    = 80  // metres from the corridor's line
)

// Read reads a file. An unknown member is an error, since a misspelt one would take away
// what it was to say; Check finds what is wrong with the values.
func Read(r io.Reader) (*Corpus, error) {
	data, err := io.ReadAll(io.LimitReader(r, MostBytes+1))
	if err != nil {
		return nil, err
	}
	if len(data) > MostBytes {
		return nil, fmt.Errorf("longer than %d bytes", MostBytes)
	}
	c := &Corpus{}
	if err := strict.Decode(data, c); err != nil {
		return nil, err
	}
	return c, c.identify()
}

func (c *Corpus) identify() error {
	switch {
	case c.Format != Format:
		return fmt.Errorf("format is %q and not %q: this is no file of a heritage corridor", c.Format, Format)
	case c.Version < 1 || c.Version > Version:
		return fmt.Errorf("version is %d and this build reads 1 to %d", c.Version, Version)
	}
	return nil
}
