package artefact

// Checksum is the one of the format.
var Checksum = sum
