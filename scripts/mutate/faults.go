package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// fault is a change of a file's text.
type fault struct {
	path, file string // in full, and from the root of the project
	source     []byte
	from, to   int
	text       string // what stands there instead
	at         token.Position
	was, what  string
}

func (f fault) String() string {
	return fmt.Sprintf("%s:%d:%d: %s: %s", f.file, f.at.Line, f.at.Column, f.what, f.was)
}

// apply returns the file with the fault in it.
func (f fault) apply() []byte {
	return slices.Concat(f.source[:f.from], []byte(f.text), f.source[f.to:])
}

// instead are the comparisons that a comparison becomes: its neighbour, which differs at
// the limit only, or its opposite.
var instead = map[token.Token][]string{
	token.EQL: {"!="}, token.NEQ: {"=="},
	token.LSS: {"<=", ">="}, token.LEQ: {"<", ">"},
	token.GTR: {">=", "<="}, token.GEQ: {">", "<"},
	token.LAND: {"||"}, token.LOR: {"&&"},
}

// only matches calls that log or measure, or that only help: memory announced beforehand and
// the lines that tests name.
var only = regexp.MustCompile(`(?i)(^|\.)(slog|log|logger|metrics|observe)(\.|$)|\.(Inc|Observe|Grow|Helper)$`)

// faults lists what can be planted in a file, in its order.
func faults(path, file string, source []byte) ([]fault, error) {
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, path, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil || ast.IsGenerated(parsed) {
		return nil, err
	}
	var all []fault
	at := func(p token.Pos) int { return files.Position(p).Offset }
	of := func(n ast.Node) string { return string(source[at(n.Pos()):at(n.End())]) }
	plant := func(shown ast.Node, from, to token.Pos, text, what string) {
		was, _, more := strings.Cut(of(shown), "\n")
		if more {
			was += " …"
		}
		all = append(all, fault{
			path: path, file: file, source: source, from: at(from), to: at(to), text: text,
			at: files.Position(from), was: was, what: what,
		})
	}
	replace := func(n ast.Node, text, what string) { plant(n, n.Pos(), n.End(), text, what) }
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.GenDecl:
			return x.Tok != token.IMPORT
		case *ast.Field, *ast.ArrayType: // tags and lengths
			return false
		case *ast.IfStmt:
			switch {
			case x.Else == nil && logs(x.Body.List...):
				return false
			case x.Else == nil && leaves(x.Body):
				replace(x.Cond, "false && ("+of(x.Cond)+")", "the guard never holds")
			default:
				replace(x.Cond, "!("+of(x.Cond)+")", "the condition is turned round")
			}
		case *ast.BinaryExpr:
			for _, text := range instead[x.Op] {
				plant(x, x.OpPos, x.OpPos+token.Pos(len(x.Op.String())), text, x.Op.String()+" becomes "+text)
			}
		case *ast.BasicLit:
			if x.Kind == token.INT || x.Kind == token.FLOAT {
				off := [...][2]string{{" + 1", "one more"}, {" - 1", "one less"}}[at(x.Pos())%2]
				replace(x, "("+x.Value+off[0]+")", off[1])
			}
		case *ast.Ident:
			if value, err := strconv.ParseBool(x.Name); err == nil && len(x.Name) > 1 {
				replace(x, strconv.FormatBool(!value), "the opposite")
			}
		case *ast.ExprStmt, *ast.DeferStmt, *ast.IncDecStmt, *ast.SendStmt:
			if logs(x.(ast.Stmt)) {
				return false
			}
			replace(x, "", "left out")
		case *ast.AssignStmt:
			if x.Tok != token.DEFINE {
				replace(x, "", "left out")
			}
		}
		return true
	})
	return all, nil
}

// leaves reports whether a block ends by leaving what it stands in.
func leaves(b *ast.BlockStmt) bool {
	if len(b.List) == 0 {
		return false
	}
	switch b.List[len(b.List)-1].(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	}
	return false
}

// logs reports whether statements do nothing but log or measure.
func logs(all ...ast.Stmt) bool {
	for _, s := range all {
		var called ast.Expr
		switch x := s.(type) {
		case *ast.ExprStmt:
			called = x.X
		case *ast.DeferStmt:
			called = x.Call
		}
		call, is := called.(*ast.CallExpr)
		if !is || !only.MatchString(name(call.Fun)) {
			return false
		}
	}
	return len(all) > 0
}

// name writes what is called as it stands in the source, without arguments.
func name(e ast.Expr) string {
	switch x := e.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		return name(x.X) + "." + x.Sel.Name
	case *ast.CallExpr:
		return name(x.Fun)
	}
	return ""
}
