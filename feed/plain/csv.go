package plain

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/feed/traffic"
)

// columns are those by which a header is known.
var columns = []string{"from_node", "way", "nodes", "openlr", "shape", "lat", "link"}

// ReadCSV reads a table with a header. What is not in it stays as it was, unless
// full says that the table is all there is.
func ReadCSV(r io.Reader, full bool) (*traffic.Document, error) {
	table := feed.NewTable(r)
	header, err := table.Read()
	if err != nil {
		return nil, fmt.Errorf("no header: %w", err)
	}
	at := map[string]int{}
	for i, name := range header {
		at[strings.ToLower(strings.TrimSpace(strings.TrimPrefix(name, "\ufeff")))] = i
	}
	if !slices.ContainsFunc(columns, func(name string) bool { _, ok := at[name]; return ok }) {
		return nil, fmt.Errorf("the header has none of the columns %s", strings.Join(columns, ", "))
	}
	d := &traffic.Document{Delta: !full}
	for {
		row, err := table.Read()
		switch {
		case errors.Is(err, io.EOF):
			d.Finish()
			return d, nil
		case err != nil:
			if bad := (*csv.ParseError)(nil); errors.As(err, &bad) {
				d.Reject(traffic.Unreadable)
				continue
			}
			return nil, err
		}
		rec, ok := record(d, func(name string) string {
			if i, known := at[name]; known && i < len(row) {
				return strings.TrimSpace(row[i])
			}
			return ""
		}, nil)
		if !ok {
			continue
		}
		if err := add(d, &rec); err != nil {
			return nil, err
		}
	}
}
