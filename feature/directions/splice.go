package directions

import (
	"bytes"
	"encoding/json"

	"github.com/waygate/waygate/fault"
)

// block is a member the gateway adds to the top of an engine's answer.
type block struct {
	name  string
	value any
	list  bool // joins a list of the same name that is already there
}

// With adds a block to the top of a native answer.
func With(answer []byte, name string, value any) ([]byte, error) {
	return splice(answer, []block{{name: name, value: value}})
}

// splice adds blocks to an engine's answer without decoding it: the engine's
// own bytes stay as they are.
func splice(answer []byte, blocks []block) ([]byte, error) {
	if len(blocks) == 0 {
		return answer, nil
	}
	if !json.Valid(answer) || answer[space(answer, 0)] != '{' {
		return nil, fault.New(fault.Upstream, "the engine's answer is not a JSON object").With("upstream_status", 200)
	}
	for _, b := range blocks {
		value, err := json.Marshal(b.value)
		if err != nil {
			return nil, err
		}
		answer = insert(answer, b, value)
	}
	return answer, nil
}

func insert(answer []byte, b block, value []byte) []byte {
	empty := true
	for m := range members(answer) {
		empty = false
		if m.name != b.name {
			continue
		}
		if there := m.value(answer); b.list && there[0] == '[' {
			value = joined(there, value)
		}
		return replaced(answer, m.start, m.end, value)
	}
	at := bytes.LastIndexByte(answer, '}')
	added, err := json.Marshal(b.name)
	if err != nil {
		return answer // a string always marshals
	}
	if !empty {
		added = append([]byte{','}, added...)
	}
	added = append(append(added, ':'), value...)
	return replaced(answer, at, at, added)
}

// joined makes one array of two.
func joined(a, b []byte) []byte {
	a, b = bytes.TrimSpace(a), bytes.TrimSpace(b)
	inA, inB := bytes.TrimSpace(a[1:len(a)-1]), bytes.TrimSpace(b[1:len(b)-1])
	parts := make([][]byte, 0, 2)
	for _, in := range [][]byte{inA, inB} {
		if len(in) > 0 {
			parts = append(parts, in)
		}
	}
	return append(append([]byte{'['}, bytes.Join(parts, []byte{','})...), ']')
}

func replaced(doc []byte, from, to int, by []byte) []byte {
	out := make([]byte, 0, len(doc)-(to-from)+len(by))
	return append(append(append(out, doc[:from]...), by...), doc[to:]...)
}

// without takes a member off the top of an answer.
func without(answer []byte, name string) []byte {
	before := -1 // where the member before ended
	for m := range members(answer) {
		if m.name != name {
			before = m.end
			continue
		}
		if before >= 0 {
			return replaced(answer, before, m.end, nil)
		}
		end := space(answer, m.end)
		if end < len(answer) && answer[end] == ',' {
			end++
		}
		return replaced(answer, m.begin, end, nil)
	}
	return answer
}
