package api

import _ "embed"

// OpenAPI describes the local API.
//
//go:embed openapi.json
var OpenAPI []byte
