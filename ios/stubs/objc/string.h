// Compiler-generated headers include this file but use nothing from it.
#pragma once
