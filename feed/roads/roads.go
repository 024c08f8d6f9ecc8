// Package roads is feeds of traffic and of incidents: which formats they may have,
// and how a document of changes is merged with the one before.
package roads

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/feed/cifs"
	"github.com/waygate/waygate/feed/datex2"
	"github.com/waygate/waygate/feed/plain"
	"github.com/waygate/waygate/feed/segments"
	"github.com/waygate/waygate/feed/traffic"
	"github.com/waygate/waygate/feed/wzdx"
)

// formats are the readers by the name of their format.
var formats = map[string]func(io.Reader) (*traffic.Document, error){
	"cifs":     cifs.Read,
	"datex2":   datex2.Read,
	"wzdx":     wzdx.Read,
	"segments": segments.Read,
	"turns":    segments.ReadTurns,
	"csv":      func(r io.Reader) (*traffic.Document, error) { return plain.ReadCSV(r, false) },
	"json":     plain.ReadJSON,
	"geojson":  plain.ReadJSON,
}

// The options of sources: that a document has all records of the source, or changes those of
// the document before, whatever it says of itself; and another document with the links by
// which its records name places.
const (
	fullOption  = "full"
	deltaOption = "delta"
	linksOption = "links="
)

// StaleAfter is the age from which traffic supports no claim of what is live.
const StaleAfter = 5 * time.Minute

// Kind returns the kind of feeds of traffic and incidents, which are stale after a time.
func Kind(stale time.Duration) feed.Kind[*traffic.Document] {
	return feed.Kind[*traffic.Document]{Read: read, Every: time.Minute, StaleAfter: stale, MayBeEmpty: true, Check: check}
}

func check(s *feed.Source) error {
	if s.Format != "" && formats[s.Format] == nil {
		return fmt.Errorf("format %q is none of cifs, csv, datex2, geojson, json, segments, turns, wzdx", s.Format)
	}
	for _, o := range s.Options {
		if o != fullOption && o != deltaOption && !strings.HasPrefix(o, linksOption) {
			return fmt.Errorf("option %q is none of full, delta, links=ADDRESS", o)
		}
	}
	if s.Has(fullOption) && s.Has(deltaOption) {
		return errors.New("options full and delta exclude each other")
	}
	return nil
}

func read(ctx context.Context, in *feed.Input, last *traffic.Document) (*traffic.Document, int, error) {
	format, err := formatOf(in)
	if err != nil {
		return nil, 0, err
	}
	d, err := formats[format](in)
	if err != nil {
		return nil, 0, err
	}
	for _, o := range in.Source.Options {
		if ref, ok := strings.CutPrefix(o, linksOption); ok {
			if err := addLinks(ctx, in, ref, d); err != nil {
				return nil, 0, fmt.Errorf("its links: %w", err)
			}
		}
	}
	switch {
	case in.Source.Has(fullOption):
		d.Delta = false
	case in.Source.Has(deltaOption):
		d.Delta = true
	}
	for _, reason := range d.Rejected.Reasons() {
		for range d.Rejected[reason] {
			in.Report.Reject(reason, "")
		}
	}
	if !d.Taken.IsZero() {
		in.Report.Published(d.Taken)
	}
	d.Read = in.Now
	taken := d.Size()
	if d.Delta && last != nil {
		d = merge(last, d)
		taken = d.Size()
		if len(d.Segments)+len(d.Ways) > traffic.MaxSpeeds || len(d.Turns) > traffic.MaxTurns {
			return nil, 0, fmt.Errorf("with its earlier records it has more than %d speeds or %d turns", traffic.MaxSpeeds, traffic.MaxTurns)
		}
	}
	return d, taken, nil
}

// formatOf returns the format of a document: what its source says, else what it looks
// like.
func formatOf(in *feed.Input) (string, error) {
	if in.Source.Format != "" {
		return in.Source.Format, nil
	}
	start := in.Reads(4096)
	switch in.Sniff() {
	case feed.HTML:
		return "", feed.ErrPage
	case feed.XML:
		if bytes.Contains(start, []byte("<incidents")) {
			return "cifs", nil
		}
		return "datex2", nil
	case feed.JSON:
		if bytes.Contains(start, []byte(`feed_info"`)) || bytes.Contains(start, []byte(`"core_details"`)) {
			return "wzdx", nil
		}
		if bytes.Contains(start, []byte(`"incidents"`)) {
			return "cifs", nil
		}
		return "json", nil
	}
	for line := range bytes.Lines(start) {
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' {
			switch {
			case segments.AreTurns(line):
				return "turns", nil
			case line[0] >= '0' && line[0] <= '9':
				return "segments", nil
			}
			return "csv", nil
		}
	}
	return "csv", nil
}

func addLinks(ctx context.Context, in *feed.Input, ref string, d *traffic.Document) (err error) {
	more, err := in.Open(ctx, ref)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, more.Close()) }()
	format, err := formatOf(&feed.Input{Reader: more.Reader, Source: &feed.Source{}})
	if err != nil {
		return err
	}
	links, err := formats[format](more)
	if err != nil {
		return err
	}
	// A table of our own form has a record for each link.
	for i := range links.Records {
		if r := &links.Records[i]; r.ID != "" && len(r.Place.Line) > 0 {
			links.Links = append(links.Links, traffic.Link{ID: r.ID, Line: r.Place.Line})
		}
	}
	for _, l := range links.Links {
		if err := d.AddLink(l); err != nil {
			return err
		}
	}
	return nil
}

// forgetAfter is how long a record of a source of changes is kept that is not published again
// and has no end of its own.
const forgetAfter = time.Hour

// merge returns the document before with the changes of a later one.
func merge(last, d *traffic.Document) *traffic.Document {
	out := *d
	oldest := d.Read.Add(-forgetAfter)
	out.Segments = mergeSegments(last, d, uint32(max(0, oldest.Unix())))
	out.Ways = mergeWays(last, d, uint32(max(0, oldest.Unix())))
	out.Turns = mergeTurns(last, d, uint32(max(0, oldest.Unix())))
	gone := map[string]bool{}
	for _, id := range d.Ended {
		gone[id] = true
	}
	for i := range d.Records {
		gone[d.Records[i].ID] = true
	}
	out.Records = slices.Clone(d.Records)
	for i := range last.Records {
		r := last.Records[i]
		if r.ID != "" && gone[r.ID] || r.Expired(d.Read) || len(out.Records) >= traffic.MaxRecords {
			continue
		}
		if r.At.IsZero() {
			r.At = last.Read
		}
		if r.Incident == nil && r.At.Before(oldest) || r.At.Before(d.Read.Add(-24*forgetAfter)) {
			continue
		}
		out.Records = append(out.Records, r)
	}
	if len(d.Links) == 0 {
		out.Links = last.Links
	}
	return &out
}
