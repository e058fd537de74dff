// Sizes: developer.apple.com/documentation/corefoundation/cgrect
#pragma once
struct CGPoint { double x; double y; };
typedef struct CGPoint CGPoint;
struct CGSize { double width; double height; };
typedef struct CGSize CGSize;
struct CGRect { CGPoint origin; CGSize size; };
typedef struct CGRect CGRect;
CGRect CGRectInset(CGRect rect, double dx, double dy) __attribute__((swift_name("CGRect.insetBy(self:dx:dy:)")));
