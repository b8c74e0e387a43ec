package clients

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"
)

// Bundle writes a .mcpb file, which Claude Desktop installs with a double click. It is a zip with a manifest and the
// program itself.
func Bundle(w io.Writer, goos, version, executable string, x Entry) error {
	name := "cove"
	if goos == "windows" {
		name += ".exe"
	}
	platform := map[string]string{"darwin": "darwin", "windows": "win32", "linux": "linux"}[goos]
	type object = map[string]any
	manifest, err := json.MarshalIndent(object{
		"manifest_version": "0.3", "name": x.Name, "version": version,
		"display_name": fmt.Sprintf("Cove, profile %d", x.Profile),
		"description":  fmt.Sprintf("Tools to work in the browser profile %d of Cove.", x.Profile),
		"author":       object{"name": "Cove"},
		"server": object{"type": "binary", "entry_point": "server/" + name,
			"mcp_config": object{"command": "${__dirname}/server/" + name, "args": x.Args}},
		"compatibility": object{"platforms": []string{platform}},
	}, "", "  ")
	if err != nil {
		return err
	}
	program, err := os.Open(executable)
	if err != nil {
		return err
	}
	defer func() { _ = program.Close() }()

	z := zip.NewWriter(w)
	if err := store(z, "manifest.json", 0o644, bytes.NewReader(append(manifest, '\n'))); err != nil {
		return err
	}
	if err := store(z, "server/"+name, 0o755, program); err != nil {
		return err
	}

	return z.Close()
}

// store adds a file to a zip. It does not compress: the file does not travel.
func store(z *zip.Writer, name string, mode os.FileMode, from io.Reader) error {
	head := &zip.FileHeader{Name: name, Method: zip.Store, Modified: time.Now()}
	head.SetMode(mode)
	out, err := z.CreateHeader(head)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, from)

	return err
}
