package fuel

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/waygate/waygate/feed"
)

// day is when a forecourt is open on one day of the week.
type day struct {
	Opens  word `json:"open"`
	Closes word `json:"close"`
	Always bool `json:"is_24_hours"`
	// As the CSV calls them.
	OpenTime  word `json:"open_time"`
	CloseTime word `json:"close_time"`
}

// weekdays are the days as the Fuel Finder names them, and as OSM does.
var weekdays = [7][2]string{{"monday", "Mo"}, {"tuesday", "Tu"}, {"wednesday", "We"}, {"thursday", "Th"}, {"friday", "Fr"}, {"saturday", "Sa"}, {"sunday", "Su"}}

// times writes the hours of a day as OSM does; "" where they are not known. From
// midnight to midnight without being open for 24 hours says nothing: forecourts are
// registered so that are open all day, and such that are not.
func (d day) times() string {
	opens, closes := clock(first(d.Opens, d.OpenTime)), clock(first(d.Closes, d.CloseTime))
	switch {
	case d.Always:
		return "00:00-24:00"
	case opens == "" || closes == "" || opens == closes:
		return ""
	case closes == "00:00" || closes == "23:59":
		closes = "24:00"
	}
	return opens + "-" + closes
}

// clock returns a time of day to the minute; "" where it is none.
func clock(text string) string {
	for _, form := range []string{"15:04:05", "15:04"} {
		if t, err := time.Parse(form, text); err == nil {
			return t.Format("15:04")
		}
	}
	return ""
}

// weekly writes the hours of a week as OSM does; "" where those of any day are not
// known, for a day that is left out is one on which nothing is open.
func weekly(days func(name string) day) string {
	var list []string
	for i := 0; i < len(weekdays); {
		times := days(weekdays[i][0]).times()
		if times == "" {
			return ""
		}
		last := i
		for last+1 < len(weekdays) && days(weekdays[last+1][0]).times() == times {
			last++
		}
		name := weekdays[i][1]
		if last > i {
			name += "-" + weekdays[last][1]
		}
		list = append(list, name+" "+times)
		i = last + 1
	}
	if list[0] == "Mo-Su 00:00-24:00" {
		return "24/7"
	}
	return strings.Join(list, "; ")
}

// opening reads the opening_times of JSON.
func opening(raw json.RawMessage) string {
	var o struct {
		Days map[string]day `json:"usual_days"`
	}
	if json.Unmarshal(raw, &o) != nil {
		return ""
	}
	return weekly(func(name string) day { return o.Days[name] })
}

// openingRow reads the columns of opening times of the CSV.
func openingRow(row feed.Row) string {
	return weekly(func(name string) day {
		at := "forecourts.opening_times.usual_days." + name + "."
		return day{OpenTime: word(row.Get(at + "open_time")), CloseTime: word(row.Get(at + "close_time")), Always: row.Get(at+"is_24_hours") == "true"}
	})
}

// longestHours is how many bytes opening hours have at the most.
const longestHours = 255

// written returns the hours of a station as its source has them in OSM's words.
func written(text string) string {
	if len(text) > longestHours {
		return ""
	}
	return text
}

// separated are names with semicolons between them.
func separated(text string) []string {
	list := strings.Split(text, ";")
	for i := range list {
		list[i] = strings.TrimSpace(list[i])
	}
	return list
}

// Bounds of the amenities of one station.
const (
	mostAmenities  = 50
	longestAmenity = 60 // bytes
)

// amenities reads those of JSON: a list of names.
func amenities(raw json.RawMessage) []string {
	var list []word
	if json.Unmarshal(raw, &list) != nil {
		return nil
	}
	var out []string
	for _, w := range list {
		out = append(out, string(w))
	}
	return ordered(out)
}

// amenitiesRow reads the columns of amenities of the CSV.
func amenitiesRow(row feed.Row) []string {
	var out []string
	for column := range row.Columns() {
		if name, ok := strings.CutPrefix(column, "forecourts.amenities."); ok && row.Get(column) == "true" {
			out = append(out, name[strings.LastIndexByte(name, '.')+1:])
		}
	}
	return ordered(out)
}

// ordered gives names in order, each once, within bounds.
func ordered(list []string) []string {
	list = slices.DeleteFunc(list, func(s string) bool { return s == "" || len(s) > longestAmenity })
	slices.Sort(list)
	list = slices.Compact(list)
	return slices.Clip(list[:min(len(list), mostAmenities)])
}
