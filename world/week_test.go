package world

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/waygate/waygate/realdata"
)

// encodeWeek writes coefficients as Valhalla does.
func encodeWeek(c *[coefficients]int16) string {
	var raw bytes.Buffer
	if err := binary.Write(&raw, binary.BigEndian, c); err != nil {
		panic(err)
	}
	return base64.StdEncoding.EncodeToString(raw.Bytes())
}

// transform returns the coefficients of a week by their definition.
func transform(speeds *[bucketsOfWeek]float64) *[coefficients]int16 {
	var c [coefficients]int16
	for k := range c {
		sum := 0.0
		for b, kmh := range speeds {
			sum += kmh * math.Cos(math.Pi/bucketsOfWeek*(float64(b)+0.5)*float64(k))
		}
		if k == 0 {
			sum /= math.Sqrt2
		}
		c[k] = int16(math.Round(sum * math.Sqrt(2.0/bucketsOfWeek)))
	}
	return &c
}

// TestWeekMeans has the means of hours agree with those of all buckets, each worked
// out by the definition of the inverse transform.
func TestWeekMeans(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 10 {
		var c [coefficients]int16
		for k := range c {
			c[k] = int16(rng.IntN(1 << 16))
		}
		means, err := weekMeans(encodeWeek(&c))
		if err != nil {
			t.Fatal(err)
		}
		for hour, mean := range means {
			sum := 0.0
			for b := hour * 12; b < hour*12+12; b++ {
				kmh := float64(c[0]) / math.Sqrt2
				for k := 1; k < coefficients; k++ {
					kmh += float64(c[k]) * math.Cos(math.Pi/2016*(float64(b)+0.5)*float64(k))
				}
				sum += kmh * math.Sqrt(2.0/2016)
			}
			if math.Abs(sum/12-mean) > 1e-6 {
				t.Fatalf("hour %d: %v is not %v", hour, mean, sum/12)
			}
		}
	}
}

// TestWeekSpeeds has a week with slow mornings on weekdays come back, by hours from
// Monday.
func TestWeekSpeeds(t *testing.T) {
	var speeds [bucketsOfWeek]float64
	want := func(hour int) float64 { // from Sunday 0:00
		if day := hour / 24; day >= 1 && day <= 5 && hour%24 >= 6 && hour%24 < 12 {
			return 30
		}
		return 50
	}
	for b := range speeds {
		speeds[b] = want(b / 12)
	}
	w, err := weekSpeeds(encodeWeek(transform(&speeds)))
	if err != nil {
		t.Fatal(err)
	}
	for hour, kmh := range w {
		if kmhThen := want((hour + 24) % len(w)); math.Abs(float64(kmh)-kmhThen) > 5 {
			t.Errorf("hour %d from Monday: %d, not %v", hour, kmh, kmhThen)
		}
	}
	if w[8] > 33 || w[5*24+8] < 48 {
		t.Errorf("at eight on Monday %d, on Saturday %d", w[8], w[5*24+8])
	}
}

func TestReadWeekLines(t *testing.T) {
	var c [coefficients]int16
	c[0] = 1796 // 40 km/h at all times
	steady := encodeWeek(&c)
	text := "edge_id,freeflow_speed,constrained_speed,historical_speeds\n" +
		"way/7/forward,50,30," + steady + "\n" +
		"way/8/both,50,30,\n" +
		"nodes/1/2,45,0\n" +
		"way/7/sideways,50,30,\nway/x/both,50,30\nway/7/both,0,\nway/7/both,900,900\nnodes/1/2,50,30,AAAA\n"
	p, rejected, err := ReadProfile(strings.NewReader(text + "way/9/backward,20,20\nway/10/both,20,20\n"))
	if err != nil || rejected != 5 || len(p.ways) != 4 {
		t.Fatal(p, rejected, err)
	}
	for hour := range p.ways[0].week {
		day := hour%24 >= 7 && hour%24 < 19
		if kmh := p.ways[0].week[hour]; kmh != 40 {
			t.Errorf("hour %d: %d", hour, kmh)
		}
		if kmh := p.ways[1].week[hour]; day != (kmh == 30) || !day != (kmh == 50) {
			t.Errorf("hour %d of two speeds: %d", hour, kmh)
		}
		if list := p.hours[hour]; day != (len(list) == 0) || !day && (list[0].Kmh != 45 || list[0].From != 1 || list[0].To != 2) {
			t.Errorf("hour %d between nodes: %v", hour, list)
		}
	}
}

// TestWeeksOnRoads has ways and nodes of a table find their edges, each direction
// by itself.
func TestWeeksOnRoads(t *testing.T) {
	s := newScene(t)
	e := s.region().Kernel()
	edge := e.EdgesOf(s.town.WayID("bc"))[0]
	from, to := e.Ends(edge)
	table := "way/" + strconv.FormatInt(s.town.WayID("bc"), 10) + "/both,20,20\n" +
		"nodes/" + strconv.FormatInt(from, 10) + "/" + strconv.FormatInt(to, 10) + ",,10\n"
	p, _, err := ReadProfile(strings.NewReader(table))
	if err != nil {
		t.Fatal(err)
	}
	s.roads.SetProfile(p)
	profile := s.region().Roads().Live.Profile
	back := e.EdgesOf(s.town.WayID("bc"))[1]
	if profile.Speed(edge, 3) != 20 || profile.Speed(edge, 8) != 10 || profile.Speed(back, 8) != 20 || profile.Edges() != 2 {
		t.Errorf("at three %d, at eight %d and back %d, on %d edges", profile.Speed(edge, 3), profile.Speed(edge, 8), profile.Speed(back, 8), profile.Edges())
	}
}

// TestValhallaSample reads a table as Valhalla has it: its edges are of no use here,
// its speeds are read.
func TestValhallaSample(t *testing.T) {
	text, err := os.ReadFile(realdata.File(t, "feeds/traffic/valhalla-historical-0-003-196.csv"))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := ReadProfile(bytes.NewReader(text)); err == nil || !strings.Contains(err.Error(), "way/ID/forward") {
		t.Errorf("edges of Valhalla's own: %v", err)
	}
	_, rest, _ := strings.Cut(strings.TrimSpace(string(text)), ",")
	l, err := readWeekLine("way/1/forward," + rest)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("read %v", l.week)
	for hour, kmh := range l.week {
		if kmh < 20 || kmh > 60 {
			t.Errorf("hour %d: %d km/h, where day and night have 35 and 45", hour, kmh)
		}
	}
}

func FuzzReadWeekLine(f *testing.F) {
	f.Add("way/7/forward,50,30,")
	f.Add("nodes/1/2,50,30," + encodeWeek(&[coefficients]int16{1796, -100}))
	f.Add("0/3196/0,45,35,")
	f.Fuzz(func(t *testing.T, line string) {
		l, err := readWeekLine(line)
		if err != nil {
			return
		}
		known := false
		for _, kmh := range l.week {
			known = known || kmh > 0
			if kmh > 250 {
				t.Fatalf("%d km/h", kmh)
			}
		}
		if !known || l.way.ID != 0 && l.segment.From != 0 {
			t.Fatalf("read %+v", l)
		}
	})
}
