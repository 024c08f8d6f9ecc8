package osm

import "errors"

const xmlBlock = 8000

type xmlReader struct{ header Header }

func newXMLReader(*input, Options) *xmlReader { return &xmlReader{} }

func (x *xmlReader) next(*Block, int) (bool, error) { return false, errors.New("XML is not read yet") }
