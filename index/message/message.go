// Package message reads protocol buffer messages with few known fields, without
// generated code.
package message

import "google.golang.org/protobuf/encoding/protowire"

// Fields passes the fields of a message to a function: numbers as value, fields with a
// length as bytes. It returns damaged if the message cannot be read.
func Fields(raw []byte, damaged error, field func(number protowire.Number, value uint64, bytes []byte) error) error {
	for len(raw) > 0 {
		number, kind, n := protowire.ConsumeTag(raw)
		if n < 0 {
			return damaged
		}
		raw = raw[n:]
		var value uint64
		var bytes []byte
		switch kind {
		case protowire.VarintType:
			value, n = protowire.ConsumeVarint(raw)
		case protowire.BytesType:
			bytes, n = protowire.ConsumeBytes(raw)
		case protowire.Fixed32Type:
			var v uint32
			v, n = protowire.ConsumeFixed32(raw)
			value = uint64(v)
		case protowire.Fixed64Type:
			value, n = protowire.ConsumeFixed64(raw)
		default:
			n = protowire.ConsumeFieldValue(number, kind, raw)
		}
		if n < 0 {
			return damaged
		}
		raw = raw[n:]
		if err := field(number, value, bytes); err != nil {
			return err
		}
	}
	return nil
}
