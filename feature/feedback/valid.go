package feedback

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/waygate/waygate/fault"
)

// categories are the kinds of map issue.
var categories = []string{"road-missing", "road-wrong", "restriction-wrong", "name-wrong", "place-closed", "place-missing", "other"}

// areas are the subjects that a problem of a retro may have.
var areas = []string{"sdk", "api", "mcp", "docs", "billing", "self-host", "other"}

// The limits of texts, in bytes, and of lists.
const (
	noteBytes        = 1000
	contactBytes     = 200
	whatBuiltBytes   = 500
	descriptionBytes = 1000
	lineBytes        = 500 // of a gotcha, a win, a gap of the docs
	agentBytes       = 100
	versionBytes     = 50
	listMost         = 20
)

// check gathers all that is wrong with a report.
type check []fault.Violation

func (c *check) add(location string, value any, message string, args ...any) {
	*c = append(*c, fault.Violation{Location: location, Value: value, Message: fmt.Sprintf(message, args...)})
}

// text checks a text's length and that a database can keep it.
func (c *check) text(location, s string, most int) {
	switch {
	case len(s) > most:
		c.add(location, s, "has %d bytes, at most %d are taken", len(s), most)
	case !utf8.ValidString(s) || strings.ContainsRune(s, 0):
		c.add(location, nil, "must be UTF-8 without NUL characters")
	}
}

func (c *check) word(location, s string, words []string) {
	if !slices.Contains(words, s) {
		c.add(location, s, "must be one of %s", strings.Join(words, ", "))
	}
}

func (c *check) degrees(location string, d, most float64) {
	switch {
	case math.IsNaN(d) || math.IsInf(d, 0): // JSON could not say it back
		c.add(location, nil, "must be a number from -%g to %g", most, most)
	case math.Abs(d) > most:
		c.add(location, d, "must be from -%g to %g degrees", most, most)
	}
}

// count reports whether a list is short enough for its entries to be checked.
func (c *check) count(location string, n int) bool {
	if n > listMost {
		c.add(location, n, "has %d entries, at most %d are taken", n, listMost)
		return false
	}
	return true
}

func (c *check) lines(location string, lines []string) {
	if !c.count(location, len(lines)) {
		return
	}
	for i, s := range lines {
		c.text(fmt.Sprintf("%s[%d]", location, i), s, lineBytes)
	}
}

func (i *MapIssue) check() error {
	var c check
	c.degrees("lat", i.Lat, 90)
	c.degrees("lon", i.Lon, 180)
	c.word("category", i.Category, categories)
	c.text("note", i.Note, noteBytes)
	c.text("contact", i.Contact, contactBytes)
	return fault.Invalid(c...)
}

func (r *Retro) check() error {
	var c check
	if strings.TrimSpace(r.WhatBuilt) == "" {
		c.add("what_built", r.WhatBuilt, "must say what was built, in at most %d bytes", whatBuiltBytes)
	} else {
		c.text("what_built", r.WhatBuilt, whatBuiltBytes)
	}
	if c.count("problems", len(r.Problems)) {
		for i, p := range r.Problems {
			c.word(fmt.Sprintf("problems[%d].area", i), p.Area, areas)
			c.text(fmt.Sprintf("problems[%d].description", i), p.Description, descriptionBytes)
		}
	}
	c.lines("gotchas", r.Gotchas)
	c.lines("wins", r.Wins)
	c.lines("docs_gaps", r.DocsGaps)
	c.text("agent_name", r.AgentName, agentBytes)
	c.text("sdk_version", r.SDKVersion, versionBytes)
	return fault.Invalid(c...)
}
