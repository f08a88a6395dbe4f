package archive

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"net/url"
	"strings"
	"sync"
)

var (
	//go:embed index.tmpl
	pageText string
	//go:embed index.css
	styleSheet string
)

// page is the template of the index. It escapes everything that is put into it; its policy allows its own style sheet only.
var page = sync.OnceValue(func() *template.Template {
	sum := sha256.Sum256([]byte(styleSheet))
	policy := "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; img-src data:; base-uri 'none'; form-action 'none'"
	text := strings.NewReplacer("{{policy}}", policy, "{{style}}", styleSheet).Replace(pageText)
	return template.Must(template.New("index").Parse(text))
})

// href is a relative link to a file of the archive.
func href(name string) string {
	parts := strings.Split(name, "/")
	for i, part := range parts {
		parts[i] = url.PathEscape(part)
	}
	return strings.Join(parts, "/")
}
