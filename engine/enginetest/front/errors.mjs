// Valhalla's error codes. The binding throws only the message, so the code is
// found again by it: numbers and messages as Valhalla documents them.
const table = [
  [100, 400, 'Failed to parse json request'],
  [101, 405, 'Try a POST or GET request instead'],
  [106, 404, 'Try any of'],
  [107, 501, 'Not Implemented'],
  [110, 400, "Insufficiently specified required parameter 'locations'"],
  [111, 400, "Insufficiently specified required parameter 'time'"],
  [112, 400, "Insufficiently specified required parameter 'locations' or 'sources & targets'"],
  [113, 400, "Insufficiently specified required parameter 'contours'"],
  [114, 400, "Insufficiently specified required parameter 'shape' or 'encoded_polyline'"],
  [120, 400, 'Insufficient number of locations provided'],
  [121, 400, 'Insufficient number of sources provided'],
  [122, 400, 'Insufficient number of targets provided'],
  [123, 400, 'Insufficient shape provided'],
  [124, 400, 'No edge/node costing provided'],
  [125, 400, 'No costing method found'],
  [126, 400, 'No shape provided'],
  [130, 400, 'Failed to parse location'],
  [131, 400, 'Failed to parse source'],
  [132, 400, 'Failed to parse target'],
  [133, 400, 'Failed to parse avoid'],
  [134, 400, 'Failed to parse shape'],
  [135, 400, 'Failed to parse trace'],
  [137, 400, 'Failed to parse polygon'],
  [143, 400, 'ignore_closures in costing and exclude_closures in search_filter cannot both be specified'],
  [150, 400, 'Exceeded max locations'],
  [151, 400, 'Exceeded max time'],
  [152, 400, 'Exceeded max contours'],
  [153, 400, 'Too many shape points'],
  [154, 400, 'Path distance exceeds the max distance limit'],
  [157, 400, 'Exceeded max avoid locations'],
  [158, 400, 'Input trace option is out of bounds'],
  [160, 400, 'Date and time required for origin for date_type of depart at'],
  [161, 400, 'Date and time required for destination for date_type of arrive by'],
  [162, 400, 'Date and time is invalid'],
  [163, 400, 'Invalid date_type'],
  [164, 400, 'Invalid shape format'],
  [167, 400, 'Exceeded maximum circumference for exclude_polygons'],
  [170, 400, 'Locations are in unconnected regions'],
  [171, 400, 'No suitable edges near location'],
  [172, 400, 'Exceeded breakage distance for all pairs'],
  [441, 400, 'Location is unreachable'],
  [442, 400, 'No path could be found for input'],
  [443, 400, 'Exact route match algorithm failed to find path'],
  [444, 400, 'Map Match algorithm failed to find path'],
  [445, 400, 'Shape match algorithm specification in api request is incorrect'],
];
const phrases = {
  400: 'Bad Request', 404: 'Not Found', 405: 'Method Not Allowed',
  500: 'Internal Server Error', 501: 'Not Implemented',
};

// In OSRM's format Valhalla answers these codes in OSRM's words, and the rest
// as invalid options.
const osrm = {
  154: ['DistanceExceeded', 'Path distance exceeds the max distance limit.'],
  171: ['NoSegment', 'One of the supplied input coordinates could not snap to street segment.'],
  442: ['NoRoute', 'Impossible route between points'],
};

// refusal gives the status and body of a message: the longest entry that
// begins it, or an internal error.
export function refusal(message, format) {
  const [code, status] = table
    .filter(([, , text]) => message.startsWith(text))
    .sort((a, b) => b[2].length - a[2].length)[0] ?? [599, 500];
  if (format === 'osrm') {
    const [word, sentence] = osrm[code] ?? ['InvalidOptions', 'Options are invalid.'];
    return [status, { code: word, message: sentence }];
  }
  return [status, { error_code: code, error: message, status_code: status, status: phrases[status] }];
}
