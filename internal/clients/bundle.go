package clients

import (
	"archive/zip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"
)

// Bundle writes a .mcpb file, which Claude Desktop installs with a double click: a zip with a manifest and the program
// itself.
func Bundle(w io.Writer, goos, version, executable string, x Entry) error {
	name := "cove"
	if goos == "windows" {
		name += ".exe"
	}
	platform := map[string]string{"darwin": "darwin", "windows": "win32", "linux": "linux"}[goos]
	type object = map[string]any
	manifest, err := json.MarshalIndent(object{
		"manifest_version": "0.3", "name": x.Name, "version": version, "display_name": fmt.Sprintf("Cove, profile %d", x.Profile),
		"description": fmt.Sprintf("Tools to work in the browser profile %d of Cove.", x.Profile),
		"author":      object{"name": "Cove"},
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
	add := func(file string, mode os.FileMode, copyTo func(io.Writer) error) error {
		// Not compressed: the file does not travel.
		head := &zip.FileHeader{Name: file, Method: zip.Store, Modified: time.Now()}
		head.SetMode(mode)
		out, err := z.CreateHeader(head)
		if err != nil {
			return err
		}
		return copyTo(out)
	}
	if err := add("manifest.json", 0o644, func(w io.Writer) error { _, err := w.Write(append(manifest, '\n')); return err }); err != nil {
		return err
	}
	if err := add("server/"+name, 0o755, func(w io.Writer) error { _, err := io.Copy(w, program); return err }); err != nil {
		return err
	}
	return z.Close()
}
