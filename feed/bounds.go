package feed

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// Bounds of what a source may say. Together with the bytes of its documents
// (max_bytes) they bound what reading it takes and what is held of it. What real
// sources say stays far below: the longest record of those that are tested with has
// 36 kB, the longest text 304 bytes.
const (
	MaxRecord  = 4 << 20   // bytes of one record as it is written, with the blanks before it
	MaxRecords = 1_000_000 // records of all documents of one poll, those that are rejected included
	MaxText    = 1000      // bytes of one text of a record, such as a name
	maxNested  = 256       // elements within elements of XML
)

var errLongRecord = fmt.Errorf("a record has more than %d bytes", MaxRecord)

// span reads no more than MaxRecord bytes until it begins anew. It stands below
// decoders that keep what they read until a record is complete.
type span struct {
	from io.Reader
	left int
}

func newSpan(r io.Reader) *span { return &span{r, MaxRecord} }

func (s *span) begin() { s.left = MaxRecord }

// Read reads.
func (s *span) Read(p []byte) (int, error) {
	if s.left == 0 {
		return 0, errLongRecord
	}
	n, err := s.from.Read(p[:min(len(p), s.left)])
	s.left -= n
	return n, err
}

// JSONReader is a json.Decoder of which no token and no value that is decoded at
// once may have more than MaxRecord bytes, blanks included.
type JSONReader struct {
	*json.Decoder
	span *span
}

// NewJSON reads JSON.
func NewJSON(r io.Reader) *JSONReader {
	s := newSpan(r)
	return &JSONReader{json.NewDecoder(s), s}
}

// Token returns that of json.Decoder.
func (r *JSONReader) Token() (json.Token, error) {
	r.span.begin()
	return r.Decoder.Token()
}

// More is that of json.Decoder.
func (r *JSONReader) More() bool {
	r.span.begin()
	return r.Decoder.More()
}

// Decode is that of json.Decoder.
func (r *JSONReader) Decode(v any) error {
	r.span.begin()
	return r.Decoder.Decode(v)
}

// TableReader is a csv.Reader whose records have no more than MaxRecord bytes, a
// quotation that never ends and empty lines included. It is lenient: records may have
// any number of fields, and quotation marks may stand within one. The fields it gives
// are good until the next record.
type TableReader struct {
	*csv.Reader
	span *span
}

// NewTable reads a table.
func NewTable(r io.Reader) *TableReader {
	s := newSpan(r)
	t := csv.NewReader(bufio.NewReaderSize(s, 64<<10))
	t.LazyQuotes, t.FieldsPerRecord, t.ReuseRecord = true, -1, true
	return &TableReader{t, s}
}

// Read returns that of csv.Reader.
func (r *TableReader) Read() ([]string, error) {
	r.span.begin()
	return r.Reader.Read()
}

// XMLReader is an xml.Decoder that refuses elements more than 256 deep, and tokens and
// elements that are decoded at once of more than MaxRecord bytes. Entities that a
// document defines are none to it.
type XMLReader struct {
	*xml.Decoder
	span *span
	deep int
}

// NewXML reads XML.
func NewXML(r io.Reader) *XMLReader {
	s := newSpan(r)
	return &XMLReader{Decoder: xml.NewDecoder(s), span: s}
}

// Token returns that of xml.Decoder. A record begins with it.
func (r *XMLReader) Token() (xml.Token, error) {
	r.span.begin()
	return r.Within()
}

// Within is Token within a record: what the record has read counts on.
func (r *XMLReader) Within() (xml.Token, error) {
	t, err := r.Decoder.Token()
	switch t.(type) {
	case xml.StartElement:
		if r.deep++; r.deep > maxNested {
			return nil, fmt.Errorf("its elements are more than %d deep", maxNested)
		}
	case xml.EndElement:
		r.deep--
	}
	return t, err
}

// DecodeElement is that of xml.Decoder.
func (r *XMLReader) DecodeElement(v any, start *xml.StartElement) error {
	r.deep--
	return r.Decoder.DecodeElement(v, start)
}

// Skip is that of xml.Decoder.
func (r *XMLReader) Skip() error {
	r.deep--
	return r.Decoder.Skip()
}

// TooLong reports whether one of the texts is longer than MaxText. A record with such a
// text is left out and counted: it is none that its source meant to publish, a text
// that was cut could be another's id, and answers hold several texts of many records.
func TooLong(texts ...string) bool {
	return slices.ContainsFunc(texts, func(s string) bool { return len(s) > MaxText })
}

// LongText is the reason by which records are rejected for that.
const LongText = "a text is too long"

// Clip cuts a text that people read and nothing depends on to MaxText bytes.
func Clip(s string) string {
	if len(s) <= MaxText {
		return s
	}
	end := MaxText
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return strings.Clone(s[:end]) // not to hold the whole of it
}
