package main

import (
	"fmt"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// A line of a lock describes one exported name, or one exported field or method of a type.
type line struct {
	name string // package and name, such as pkg/object.ParseObjMetadata
	text string
}

// describe returns the lines of the names in a package for which only is true.
func describe(folder string, p *types.Package, only func(name string) bool) (lines []line) {
	d := describer{folder: folder}
	for _, name := range p.Scope().Names() {
		obj := p.Scope().Lookup(name)
		if only(name) {
			d.name = folder + "." + name
			d.object(obj)
		}
	}
	slices.SortFunc(d.lines, func(a, b line) int { return strings.Compare(a.text, b.text) })
	return d.lines
}

type describer struct {
	folder, name string
	lines        []line
}

func (d *describer) add(format string, args ...any) {
	d.lines = append(d.lines, line{d.name, d.folder + ", " + fmt.Sprintf(format, args...)})
}

// text returns a type without the paths of modules, and without the names of parameters.
func (d *describer) text(t types.Type) string {
	return types.TypeString(unnamed(t), func(p *types.Package) string {
		folder, _ := within(p)
		if folder == d.folder {
			return ""
		}
		return folder
	})
}

// unnamed removes the names of the parameters of a function.
func unnamed(t types.Type) types.Type {
	s, ok := t.(*types.Signature)
	if !ok {
		return t
	}
	return types.NewSignatureType(nil, nil, nil, unnamedTuple(s.Params()), unnamedTuple(s.Results()), s.Variadic())
}

func unnamedTuple(t *types.Tuple) *types.Tuple {
	var vars []*types.Var
	for v := range t.Variables() {
		vars = append(vars, types.NewParam(0, nil, "", v.Type()))
	}
	return types.NewTuple(vars...)
}

func (d *describer) object(obj types.Object) {
	switch obj := obj.(type) {
	case *types.Const:
		d.add("const %s %s = %s", obj.Name(), d.text(obj.Type()), obj.Val().ExactString())
	case *types.Var:
		d.add("var %s %s", obj.Name(), d.text(obj.Type()))
	case *types.Func:
		d.add("func %s%s", obj.Name(), strings.TrimPrefix(d.text(obj.Type()), "func"))
	case *types.TypeName:
		d.typeName(obj)
	}
}

func (d *describer) typeName(obj *types.TypeName) {
	t := types.Unalias(obj.Type())
	switch u := t.Underlying().(type) {
	case *types.Struct:
		d.add("type %s struct", obj.Name())
		for i := range u.NumFields() {
			if f := u.Field(i); f.Exported() {
				d.add("type %s struct, %s", obj.Name(), d.field(f, u.Tag(i)))
			}
		}
	case *types.Interface:
		d.add("type %s interface", obj.Name())
		for m := range u.Methods() {
			d.add("type %s interface, %s%s", obj.Name(), m.Name(), strings.TrimPrefix(d.text(m.Type()), "func"))
		}
		return
	default:
		d.add("type %s %s", obj.Name(), d.text(u))
	}
	d.methods(obj.Name(), t)
}

func (d *describer) field(f *types.Var, tag string) string {
	text := f.Name() + " " + d.text(f.Type())
	if f.Embedded() {
		text = "embedded " + text
	}
	if tag != "" {
		text += " " + strconv.Quote(tag)
	}
	return text
}

// methods adds the exported methods of a type, also those of embedded fields.
func (d *describer) methods(name string, t types.Type) {
	byValue := types.NewMethodSet(t)
	for m := range types.NewMethodSet(types.NewPointer(t)).Methods() {
		if !m.Obj().Exported() {
			continue
		}
		receiver := name
		if byValue.Lookup(m.Obj().Pkg(), m.Obj().Name()) == nil {
			receiver = "*" + name
		}
		d.add("method (%s) %s%s", receiver, m.Obj().Name(), strings.TrimPrefix(d.text(m.Obj().Type()), "func"))
	}
}
