// Foundation for sources that include it as a header, as compiler-generated headers do.
#pragma once
@import Foundation;
