package osm

import (
	"bytes"
	"context"
	"io"
	"reflect"
	"testing"
)

// maxFuzz keeps inputs small, so that many are tried.
const maxFuzz = 4 << 10

// FuzzPBF wants a block to be refused or to be read; what is read is written
// and read again alike.
func FuzzPBF(f *testing.F) {
	for _, encode := range []func(*Data) ([]byte, error){
		func(d *Data) ([]byte, error) {
			return encodeDense(sorted(d.Nodes, func(n *Node) int64 { return n.ID }))
		},
		func(d *Data) ([]byte, error) { return encodeWays(sorted(d.Ways, func(w *Way) int64 { return w.ID })) },
		func(d *Data) ([]byte, error) {
			return encodeRelations(sorted(d.Relations, func(r *Relation) int64 { return r.ID }))
		},
	} {
		b, err := encode(town())
		if err != nil {
			f.Fatal(err)
		}
		f.Add(rawFile(plain, b))
		f.Add(rawFile(plain, append(b, appendNumber(appendNumber(nil, 17, 50), 19, 1000)...)))
	}
	f.Add(pbfBytes(f, town()))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > maxFuzz {
			t.Skip()
		}
		d, err := readPBF(b)
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := WritePBF(&out, d); err != nil {
			t.Fatalf("what is read cannot be written: %v", err)
		}
		again, err := readPBF(out.Bytes())
		if err != nil {
			t.Fatalf("what is written cannot be read: %v", err)
		}
		sortData(d)
		if !reflect.DeepEqual(again, d) {
			t.Fatalf("got  %+v\nwant %+v", again, d)
		}
	})
}

// readPBF reads a PBF from memory, with the parts a scan is made of.
func readPBF(b []byte) (*Data, error) {
	frames := &frames{r: bytes.NewReader(b), size: int64(len(b))}
	h, err := readPBFHeader(frames)
	if err != nil {
		return nil, err
	}
	d := &Data{Timestamp: h.Timestamp}
	var unpack inflater
	defer unpack.close()
	var decoder blockDecoder
	var u blockTask
	for {
		kind, blob, err := frames.next(u.blob)
		if err == io.EOF {
			return d, nil
		}
		if err != nil {
			return nil, err
		}
		if u.blob = blob; kind != typeData {
			continue
		}
		if u.decode(&unpack, &decoder); u.err != nil {
			return nil, u.err
		}
		d.add(&u.space.block)
	}
}

func sortData(d *Data) {
	d.Nodes = values(sorted(d.Nodes, func(n *Node) int64 { return n.ID }))
	d.Ways = values(sorted(d.Ways, func(w *Way) int64 { return w.ID }))
	d.Relations = values(sorted(d.Relations, func(r *Relation) int64 { return r.ID }))
}

func values[T any](list []*T) []T {
	var out []T
	for _, p := range list {
		out = append(out, *p)
	}
	return out
}

// FuzzXML is FuzzPBF for XML.
func FuzzXML(f *testing.F) {
	f.Add(xmlBytes(f, town()))
	f.Add([]byte("\n<?xml version='1.0' encoding='UTF-8'?><!DOCTYPE osm><osm version='0.6'><!-- --><![CDATA[>]]>" +
		"<bounds minlat='1e0' minlon='-2' maxlat='3.' maxlon='.4'/><meta osm_base='2022-01-02T03:04:05Z'/><note>&amp;</note></osm>"))
	f.Add([]byte("<osm><way id='1' visible='true' version='2' action='modify'><nd ref='-1'/><tag k='&#x41;&lt;' v='a\tb\r\n'/><foo/></way></osm>"))
	f.Add([]byte("<osm><way id='1'><bounds/><nd ref='5' lat='1' lon='2'/><nd lat='1' lon='3'/></way><relation id='2'><member type='way' ref='3' role=''><nd lat='1' lon='2'/><nd/><nd lat='2' lon='2'/></member><member type='node' ref='9' role='' lat='1' lon='1'/></relation></osm>"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > maxFuzz {
			t.Skip()
		}
		d, err := readXML(b)
		if err != nil {
			return
		}
		for i := range d.Ways {
			d.Ways[i].Version = max(0, d.Ways[i].Version) // of those that are made of geometry
		}
		var out bytes.Buffer
		if err := WriteXML(&out, d); err != nil {
			t.Fatalf("what is read cannot be written: %v", err)
		}
		again, err := readXML(out.Bytes())
		if err != nil {
			t.Fatalf("what is written cannot be read: %v\n%s", err, out.Bytes())
		}
		if !reflect.DeepEqual(again, d) {
			t.Fatalf("got  %+v\nwant %+v", again, d)
		}
	})
}

func readXML(b []byte) (*Data, error) {
	x := newXMLReader(bytes.NewReader(b), Options{})
	d := &Data{}
	var s space
	for more := true; more; {
		var err error
		if more, err = x.next(&s, xmlBlock); err != nil {
			return nil, err
		}
		d.add(&s.block)
	}
	d.Timestamp = x.head.Timestamp
	return d, nil
}

// A header alone is read like the whole file's.
func TestReadHeader(t *testing.T) {
	path := file(t, "town.pbf", pbfBytes(t, town()))
	_, want, err := load(t, path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := ReadHeader(context.Background(), path); err != nil || got != want {
		t.Errorf("got %+v, %v; want %+v", got, err, want)
	}
}

// FuzzPacked reads files of all packings: a file is refused, or read, and twice
// alike; and what it takes is in proportion to what it unpacks to.
func FuzzPacked(f *testing.F) {
	x := xmlBytes(f, town())
	f.Add(gzipBytes(f, x))
	f.Add(townBzip2(f))
	f.Add(gzipBytes(f, pbfBytes(f, town())))
	f.Add(gzipBytes(f, nil))
	f.Add([]byte("BZh9"))
	f.Add([]byte{0x1f, 0x8b, 8, 0xff})
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > maxFuzz {
			t.Skip()
		}
		path := file(t, "x", b)
		first, _, err := load(t, path, Options{Workers: 1})
		if _, e := ReadHeader(t.Context(), path); e != nil && err == nil {
			t.Errorf("the whole is read and its header is not: %v", e)
		}
		if err != nil {
			return
		}
		if again, _, err := load(t, path, Options{Workers: 3, SkipNodes: true}); err != nil || !reflect.DeepEqual(again.Ways, first.Ways) {
			t.Errorf("ways %+v are read again as %+v, %v", first.Ways, again.Ways, err)
		}
	})
}

// FuzzContentRange: a part of a file is only taken where it begins where the
// last one ended and goes to the end.
func FuzzContentRange(f *testing.F) {
	f.Add("bytes 5-9/10", int64(5), int64(10))
	f.Add("bytes 5-9/*", int64(5), int64(0))
	f.Add("bytes -1--1/0", int64(-1), int64(0))
	f.Fuzz(func(t *testing.T, header string, offset, size int64) {
		d := &download{state: fetchState{Size: size}}
		if d.checkRange(header, offset) == nil && size != 0 && d.state.Size != size {
			t.Errorf("%q from %d of %d makes it a file of %d", header, offset, size, d.state.Size)
		}
	})
}
