package world

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/link"
	"github.com/waygate/waygate/road/overlay"
)

// hourForm names the file of an hour of local time, and mostHours is how many files
// a region keeps: eight weeks of them.
const (
	hourForm  = "2006-01-02T15"
	hourName  = ".csv.gz"
	mostHours = 8 * overlay.HoursOfWeek
)

// writeEvery is how often the hour under way is written.
const writeEvery = 10 * time.Minute

// recorder stores the live speeds of a region: one file for each hour, with the mean speed
// of each edge.
type recorder struct {
	dir     string
	zone    *time.Location
	hour    time.Time // of the current file, in local time
	written time.Time
	sum     []uint32 // of speeds in km/h, by original edge
	count   []uint16
}

// add adds the live speeds of a snapshot. It is not safe for concurrent use.
func (c *recorder) add(e *embedded.Engine, live *overlay.Snapshot, now time.Time) error {
	local := now.In(c.zone)
	hour := time.Date(local.Year(), local.Month(), local.Day(), local.Hour(), 0, 0, 0, time.UTC)
	if !hour.Equal(c.hour) {
		if err := c.write(e); err != nil {
			return err
		}
		c.hour, c.written = hour, now
		c.sum, c.count = make([]uint32, e.Edges()), make([]uint16, e.Edges())
	}
	for x := range c.sum {
		if kmh := live.LiveSpeed(graph.Edge(x)); kmh > 0 && c.count[x] < 1<<16-1 {
			c.sum[x] += uint32(kmh)
			c.count[x]++
		}
	}
	if now.Sub(c.written) < writeEvery {
		return nil
	}
	c.written = now
	return c.write(e)
}

// write writes the current hour; an hour without live speeds has no file.
func (c *recorder) write(e *embedded.Engine) (err error) {
	if !slices.ContainsFunc(c.count, func(n uint16) bool { return n > 0 }) {
		return nil
	}
	if err := os.MkdirAll(c.dir, 0o750); err != nil {
		return err
	}
	file, err := os.CreateTemp(c.dir, ".hour-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, file.Close(), os.Remove(file.Name()))
		}
	}()
	z := gzip.NewWriter(file)
	w := bufio.NewWriter(z)
	for x, n := range c.count {
		if n == 0 {
			continue
		}
		from, to := e.Ends(graph.Edge(x))
		if _, err := fmt.Fprintf(w, "%d,%d,%.1f,%d\n", from, to, float64(c.sum[x])/float64(n), n); err != nil {
			return err
		}
	}
	if err := cmp.Or(w.Flush(), z.Close(), file.Close()); err != nil {
		return err
	}
	if err := os.Rename(file.Name(), filepath.Join(c.dir, c.hour.Format(hourForm)+hourName)); err != nil {
		return err
	}
	return prune(c.dir)
}

// hours lists the files of a folder, the oldest first.
func hours(dir string) ([]string, error) {
	list, err := filepath.Glob(filepath.Join(dir, "*"+hourName))
	slices.Sort(list)
	return list, err
}

func prune(dir string) error {
	list, err := hours(dir)
	for len(list) > mostHours && err == nil {
		err = os.Remove(list[0])
		list = list[1:]
	}
	return err
}

// Learned counts what Learn has read and written.
type Learned struct {
	Files, Speeds int
	Rejected      int // lines that could not be read
}

// Learn makes a table of usual speeds, in the form that ReadProfile reads, from the
// recorded files of one region: the mean speed of each edge in each hour of the week for
// which at least so many files have a speed.
func Learn(dir string, least int, to io.Writer) (Learned, error) {
	var out Learned
	list, err := hours(dir)
	if err != nil {
		return out, err
	}
	byHour := map[int][]string{}
	for _, path := range list {
		at, err := time.Parse(hourForm, strings.TrimSuffix(filepath.Base(path), hourName))
		if err != nil {
			continue // no file of a recorder
		}
		hour := overlay.HourOfWeek(at)
		byHour[hour] = append(byHour[hour], path)
		out.Files++
	}
	if out.Files == 0 {
		return out, fmt.Errorf("%s: no hours were kept here; SVC_TRAFFIC_HISTORY names the folder, with a folder for each region in it", dir)
	}
	w := bufio.NewWriter(to)
	if _, err := w.WriteString("from_node,to_node,hour,speed_kph\n"); err != nil {
		return out, err
	}
	for hour := range overlay.HoursOfWeek {
		if err := out.learn(hour, byHour[hour], least, w); err != nil {
			return out, err
		}
	}
	return out, w.Flush()
}

// mean is the mean speed of one edge.
type mean struct {
	sum   float64
	files int
}

func (l *Learned) learn(hour int, paths []string, least int, w io.Writer) error {
	all := map[[2]int64]mean{}
	for _, path := range paths {
		if err := l.read(path, func(s link.Segment, kmh float64) {
			at := [2]int64{s.From, s.To}
			m := all[at]
			all[at] = mean{m.sum + kmh, m.files + 1}
		}); err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(path), err)
		}
	}
	keys := make([][2]int64, 0, len(all))
	for at, m := range all {
		if m.files >= least {
			keys = append(keys, at)
		}
	}
	slices.SortFunc(keys, func(a, b [2]int64) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	for _, at := range keys {
		m := all[at]
		if _, err := fmt.Fprintf(w, "%d,%d,%d,%.1f\n", at[0], at[1], hour, m.sum/float64(m.files)); err != nil {
			return err
		}
		l.Speeds++
	}
	return nil
}

// read calls yield with the speeds in the file of an hour.
func (l *Learned) read(path string, yield func(s link.Segment, kmh float64)) (err error) {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	z, err := gzip.NewReader(file)
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(z)
	for lines.Scan() {
		var s link.Segment
		var kmh float64
		var n int
		if k, err := fmt.Sscanf(lines.Text(), "%d,%d,%f,%d", &s.From, &s.To, &kmh, &n); err != nil || k != 4 || !(kmh >= 1 && kmh <= 250) {
			l.Rejected++
			continue
		}
		yield(s, kmh)
	}
	return lines.Err()
}
