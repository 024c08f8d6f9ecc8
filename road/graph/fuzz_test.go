package graph

import (
	"bytes"
	"testing"

	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/region/regiontest"
)

// opened opens damaged sections of a graph as a region's are.
func opened(sections map[string][]byte) (*Graph, error) {
	read := func(name string) (*region.Section, error) { return region.ReadSection(name, sections[name]) }
	s, err := read(SectionName)
	if err != nil {
		return nil, err
	}
	g, err := Read(s)
	if err != nil {
		return nil, err
	}
	if s, err = read(GradesSection); err != nil {
		return nil, err
	}
	if g.Grades, err = ReadGrades(s, g); err != nil {
		return nil, err
	}
	if s, err = read(ContinuationSection); err != nil {
		return nil, err
	}
	if err := g.readContinuations(s); err != nil {
		return nil, err
	}
	if s, err = read(JunctionSection); err != nil {
		return nil, err
	}
	g.Junctions, err = ReadJunctions(s, g)
	return g, err
}

// FuzzOpen damages the sections of a graph: opening them gives an error or a
// graph, and verifying that says what is wrong with it or finds one that is
// written as it was read.
func FuzzOpen(f *testing.F) {
	g := rich(f)
	names := []string{SectionName, GradesSection, ContinuationSection, JunctionSection}
	whole := map[string][]byte{
		SectionName:         regiontest.Written(f, g.Write),
		GradesSection:       regiontest.Written(f, NewGrades(g.Segments()).Write),
		ContinuationSection: regiontest.Written(f, func(path string) error { return WriteContinuations(path, make([]Continuation, g.Base)) }),
		JunctionSection:     regiontest.Written(f, func(path string) error { return WriteJunctions(path, make([]Junctions, g.Base)) }),
	}
	for i := range names {
		for _, p := range regiontest.Patches {
			f.Add(uint8(i), p, 0)
		}
		f.Add(uint8(i), []byte(nil), 900)
	}
	f.Fuzz(func(t *testing.T, which uint8, patch []byte, cut int) {
		name := names[int(which)%len(names)]
		damaged := map[string][]byte{}
		for n, data := range whole {
			damaged[n] = data
		}
		damaged[name] = regiontest.Patched(whole[name], patch, cut)
		g, err := opened(damaged)
		if err != nil || g.Verify() != nil {
			return
		}
		again, err := region.ReadSection(SectionName, regiontest.Written(t, g.Write))
		if err != nil {
			t.Fatal(err)
		}
		back, err := Read(again)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(regiontest.Written(t, back.Write), regiontest.Written(t, g.Write)) {
			t.Error("what is verified is not read as it is written")
		}
	})
}
