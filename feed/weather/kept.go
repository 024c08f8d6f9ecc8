package weather

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// kept is an answer of a server, in a file that a restart reads. The file is named
// by when it was fetched, in seconds of Unix time, and by its first cell.
type kept struct {
	Source  string          `json:"source"` // its address
	Fetched time.Time       `json:"fetched"`
	Cells   []cell          `json:"cells"`
	Answer  json.RawMessage `json:"answer"`
}

// sweepEvery is how often what is too old is removed while the server runs.
const sweepEvery = freshFor / 4

// writeAnswer writes an answer for a restart.
func (c *Cells) writeAnswer(k *kept) error {
	if c.dir == "" || len(k.Cells) == 0 {
		return nil
	}
	c.keeping.Lock()
	defer c.keeping.Unlock()
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		return err
	}
	if k.Fetched.Sub(c.swept) >= sweepEvery {
		files, err := c.files(k.Fetched)
		if err != nil {
			return err
		}
		c.swept, c.onDisk = k.Fetched, len(files)
	}
	if c.onDisk >= mostHeld {
		return nil
	}
	text, err := json.Marshal(k)
	if err != nil {
		return err
	}
	c.onDisk++
	name := filepath.Join(c.dir, fmt.Sprintf("%d_%d_%d", k.Fetched.Unix(), k.Cells[0].Lon, k.Cells[0].Lat))
	if err := os.WriteFile(name+".part", text, 0o600); err != nil {
		return err
	}
	return os.Rename(name+".part", name+".json")
}

// files lists what is kept and fresh at a moment, and removes all else.
func (c *Cells) files(now time.Time) ([]string, error) {
	entries, err := os.ReadDir(c.dir)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var list []string
	for _, e := range entries {
		path := filepath.Join(c.dir, e.Name())
		fetched, _, _ := strings.Cut(e.Name(), "_")
		seconds, err := strconv.ParseInt(fetched, 10, 64)
		age := now.Sub(time.Unix(seconds, 0))
		switch fresh := err == nil && age >= 0 && age < freshFor; {
		case fresh && filepath.Ext(path) == ".json":
			list = append(list, path)
		case fresh: // it may be written at the moment
		default:
			if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
				return nil, err
			}
		}
	}
	return list, nil
}

// Restore takes up the forecasts that an earlier process fetched within the hour.
// They are reported as old as they are.
func (c *Cells) Restore(ctx context.Context) {
	if c.dir == "" {
		return
	}
	now := c.now()
	files, err := c.files(now)
	for _, path := range files {
		if err = ctx.Err(); err != nil {
			break
		}
		if err = c.restore(path); err != nil {
			break
		}
	}
	if err != nil {
		c.log.Warn("what was kept of forecasts cannot be read", "feed", c.source.ID, "error", err)
	}
}

// restore takes up one answer. One that is damaged, or of another address, is not.
func (c *Cells) restore(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var k kept
	if json.Unmarshal(text, &k) != nil || k.Source != c.source.URL {
		return nil
	}
	list, err := decode(k.Answer, k.Fetched)
	if err != nil || len(list) != len(k.Cells) {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if k.Fetched.After(c.last) {
		c.last = k.Fetched
	}
	for i, at := range k.Cells {
		until := k.Fetched.Add(freshFor)
		if e := c.held[at]; e != nil && (e.pending() || !e.until.Before(until)) || e == nil && len(c.held) >= mostHeld {
			continue
		}
		e := &entry{done: make(chan struct{}), series: &list[i], until: until}
		close(e.done)
		c.held[at] = e
	}
	return nil
}
